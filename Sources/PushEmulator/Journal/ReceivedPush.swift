public import APNS

/// A request that the emulator received, and the emulator's response.
public struct ReceivedPush: Sendable, Hashable {
  /// The number among all requests, from 1 in the order of the journal; 0 before it is assigned.
  public var id = 0
  /// The time of arrival, in seconds since 1970, by the system's clock and not the emulator's.
  public var time = 0.0
  /// The connection's number; the emulator's first one is 1.
  public var connection: Int
  /// The HTTP/2 stream.
  public var stream: Int32
  /// The device token as written in the path; nil if the path has none.
  public var token: String?
  /// The channel that the request names, as written, or that it created; nil if there is none.
  public var channel: String?
  /// The `apns-request-id` of a request about channels, from the client or else made by the
  /// emulator; nil for a push to a device.
  public var requestID: String?
  /// The `apns-id` of a push to a device, from the client or else made by the emulator; nil for a
  /// request about channels. A scripted answer may carry another one.
  public var apnsID: String?
  /// The HTTP status; nil without an answer.
  public var status: Int?
  /// The reason; nil for an accepted push, or without an answer.
  public var reason: Reason?
  /// The time the device token was unregistered, in milliseconds since 1970; nil unless the answer
  /// contained it.
  public var timestamp: Int64?
  /// The answer's `apns-unique-id`; nil without one.
  public var uniqueID: String?
  /// The push was processed for delivery. Unless a script says otherwise, this is so if and only if
  /// it was answered with 200.
  public var processed: Bool
  /// An additional note for people; nil for none.
  public var note: String?
  /// The fix, if the note explains the refusal; nil uses the reason's cause and fix.
  var fixOfNote: String?
  /// The common name of the client's certificate, empty if it has none; nil if the client presented
  /// no certificate.
  public var certificate: String?
  /// The request was refused by HTTP/2 itself, before it was judged as a push.
  public var isRefusedByHTTP2 = false
  /// The stored parts of the request; empty if neither journal nor inbox needs them.
  public var request = ReceivedRequest()

  /// The path; nil if none arrived.
  public var path: String? { request.oddPath ?? token.map { "/3/device/\($0)" } }

  /// Creates a request. By default it is processed if and only if the status is 200.
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
