public import APNS
public import HTTP2

/// A push, or another request about channels, that passed the strict checks, as presented to a test
/// or script before it is answered.
public struct IncomingPush: Sendable {
  /// The number of this request across all of the emulator's connections, in order of arrival,
  /// starting at 1. Refused requests count too. Loading a new script restarts the count.
  public var number: Int
  /// The connection's number; the emulator's first one is 1.
  public var connection: Int
  /// The HTTP/2 stream.
  public var stream: Int32
  /// The number of open streams on the connection, including this one.
  public var openStreams: Int
  /// The kind of request.
  public var kind = RequestKind.device
  /// The device it is for; nil for a request about channels.
  public var token: DeviceToken?
  /// The channel it names, as written; nil if it names none.
  public var channel: String?
  /// The `apns-id` of the answer, or its `apns-request-id` for a request about channels: the
  /// client's own, or one the emulator made.
  public var apnsID: String
  /// The request's headers as they arrived, pseudo-headers included.
  public var headers: HeaderBlock
  /// The payload as it arrived.
  public var body: [UInt8]

  /// The key for counting attempts: the device token, or else the channel.
  var recipient: String { token?.hex ?? channel ?? "" }
}
