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
  /// The channel that the request names, as written, or that it created; nil when there is none.
  public var channel: String?
  /// The `apns-request-id` of a request about channels: the client's own, or the one that the
  /// emulator made; nil for any other.
  public var requestID: String?
  /// The push's `apns-id`: the client's own, or the one that the emulator made; nil in a request
  /// about channels. An answer may say otherwise when it is told to.
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
  /// What to do about a refusal, where the note says what is wrong; nil leaves both to the reason.
  var fixOfNote: String?
  /// The common name of the certificate with which the client authenticated, empty when the
  /// certificate has none; nil when the client showed no certificate.
  public var certificate: String?
  /// Whether it was refused by HTTP/2 itself, before anything was judged as a push.
  public var isRefusedByHTTP2 = false
  /// The request as far as it is kept; empty when neither journal nor inbox wants it.
  public var request = ReceivedRequest()

  /// The path; nil when none arrived.
  public var path: String? { request.oddPath ?? token.map { "/3/device/\($0)" } }

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
