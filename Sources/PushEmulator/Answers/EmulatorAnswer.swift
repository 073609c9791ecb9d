public import APNS
public import HTTP2

/// The emulator's response to a push that passed the strict checks.
///
/// It is decided and recorded in the journal when the push arrives. Only the answer itself may come
/// later, if it is delayed or trickles.
public indirect enum EmulatorAnswer: Sendable, Hashable {
  /// Answers 200.
  case accept
  /// Answers with a status and a reason. The timestamp, in milliseconds since 1970, belongs to 410;
  /// nil omits it.
  case reject(status: Status, reason: Reason, timestamp: Int64? = nil)
  /// Answers in ways APNs normally would not.
  case custom(CustomAnswer)
  /// Ends the stream with RST_STREAM and this code (RFC 9113 section 7).
  case reset(code: UInt32)
  /// Sends GOAWAY, then handles the push as `then` says if the frame still covers its stream.
  /// Streams above the frame's last one are never answered.
  case goAway(ConnectionEnd, then: EmulatorAnswer)
  /// Sends pending answers and ends the connection without answering this push.
  case drop(Drop)
  /// Sends no answer. The stream stays open until the client ends it.
  case swallow
  /// Does the rest this many milliseconds later, while other pushes continue.
  case delay(milliseconds: Int, then: EmulatorAnswer)
  /// Processes the push for delivery and records that, whatever the client is told: with `reset`,
  /// `drop` and `swallow` the client cannot know.
  case processed(then: EmulatorAnswer)
  /// Stops reading and sending on this connection, PING frames included, for this many
  /// milliseconds; nil means as long as the emulator runs. Requests that have arrived are handled,
  /// and their answers are sent afterwards.
  case freeze(milliseconds: Int?, then: EmulatorAnswer)
  /// Sends SETTINGS or WINDOW_UPDATE, then handles the push as `then` says.
  case announce(Announcement, then: EmulatorAnswer)

  /// Answers with a known reason and its status.
  public static func reject(_ reason: Reason, timestamp: Int64? = nil) -> EmulatorAnswer {
    .reject(status: reason.info?.status ?? .badRequest, reason: reason, timestamp: timestamp)
  }
}

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
