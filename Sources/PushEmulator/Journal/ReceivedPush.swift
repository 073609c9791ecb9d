public import APNS

/// One request that the emulator received: what came, and what it did with it.
public struct ReceivedPush: Sendable, Hashable {
  /// Its number among all requests, from 1 in the order of the journal; 0 before it has one.
  public var id = 0
  /// When it arrived, in seconds since 1970, by the system's clock whatever the emulator's shows.
  public var time = 0.0
  /// The connection's number; the emulator's first one is 1.
  public var connection: Int
  /// The HTTP/2 stream.
  public var stream: Int32
  /// The device token as it stood in the path; nil when the path has none.
  public var token: String?
  /// The push's `apns-id`: the client's own, or the one that the emulator made. An answer may say
  /// otherwise when it is told to.
  public var apnsID: String?
  /// The HTTP status; nil when there was no answer.
  public var status: Int?
  /// The reason; nil for an accepted push, or when there was no answer.
  public var reason: Reason?
  /// Since when the device token is unregistered, in milliseconds since 1970; nil unless the answer
  /// said so.
  public var timestamp: Int64?
  /// The answer's `apns-unique-id`; nil without one.
  public var uniqueID: String?
  /// Whether the push was taken for delivery. Unless the emulator was told otherwise, exactly when
  /// it was answered with 200.
  public var processed: Bool
  /// What a person should know besides; nil when there is nothing.
  public var note: String?
  /// The common name of the certificate with which the client authenticated, empty when the
  /// certificate has none; nil when the client showed no certificate.
  public var certificate: String?
  /// Whether it was refused by HTTP/2 itself, before anything was judged as a push.
  public var isRefusedByHTTP2 = false
  /// The request as far as it is kept; empty when neither journal nor inbox wants it.
  public var request = ReceivedRequest()

  /// A request; unless said otherwise, one that was processed exactly if the status is 200.
  public init(
    connection: Int, stream: Int32, token: String? = nil, apnsID: String? = nil,
    status: Int? = nil, reason: Reason? = nil, processed: Bool? = nil, note: String? = nil,
    certificate: String? = nil
  ) {
    self.connection = connection
    self.stream = stream
    self.token = token
    self.apnsID = apnsID
    self.status = status
    self.reason = reason
    self.processed = processed ?? (status == 200)
    self.note = note
    self.certificate = certificate
  }
}

/// What is kept of a request. It never holds a provider token.
public struct ReceivedRequest: Sendable, Hashable {
  /// What `authorization` says, without the provider token itself.
  public struct Authorization: Sendable, Hashable {
    /// The first word, such as `bearer`; nil when it is not a word that may be shown.
    public var scheme: String?
    /// The key's ID; nil when there is no readable provider token.
    public var keyID: String?
    /// The team's ID; nil when there is no readable provider token.
    public var teamID: String?
    /// When the provider token was issued, in seconds since 1970; nil when there is no readable one.
    public var issuedAt: Double?
  }

  /// The method; nil when none arrived.
  public var method: String?
  /// The path; nil when none arrived.
  public var path: String?
  /// The headers that begin with `apns-`, in order, repeated ones included.
  public var fields: [DraftField] = []
  /// The topic that stands for a missing header: the only one of the client's certificate.
  public var certificateTopic: String?
  /// What `authorization` says; nil when there is none.
  public var authorization: Authorization?
  /// The payload, at most 8,192 bytes of it.
  public var body: [UInt8] = []
  /// How many bytes of the payload arrived.
  public var bodyCount = 0
  /// Which of APNs' environments the emulator stood for.
  public var environment = EmulatorEnvironment.sandbox

  init() {}
}
