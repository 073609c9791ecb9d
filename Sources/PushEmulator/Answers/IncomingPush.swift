public import APNS
public import HTTP2

/// A push, or another request about channels, that passed the strict checks, as it is shown to a
/// test or a script before it is answered.
public struct IncomingPush: Sendable {
  /// Which of the emulator's requests this is, over all connections, in the order they arrived;
  /// the first is 1. Refused requests are counted too. A new script on the control channel begins the
  /// count anew.
  public var number: Int
  /// The connection's number; the emulator's first one is 1.
  public var connection: Int
  /// The HTTP/2 stream.
  public var stream: Int32
  /// How many streams are open on the connection, this one included.
  public var openStreams: Int
  /// What it is about.
  public var kind = RequestKind.device
  /// The device that it is for; nil when it is about channels.
  public var token: DeviceToken?
  /// The channel that it names, as written; nil when it names none.
  public var channel: String?
  /// The `apns-id` that the answer will carry, or `apns-request-id` where it is about channels: the
  /// client's own, or the one the emulator made.
  public var apnsID: String
  /// The request's headers as they arrived, pseudo-headers included.
  public var headers: HeaderBlock
  /// The payload as it arrived.
  public var body: [UInt8]

  /// What its attempts are counted by: the device token, or else the channel.
  var recipient: String { token?.hex ?? channel ?? "" }
}
