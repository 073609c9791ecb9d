public import APNS
public import HTTP2

/// A push that passed the strict checks, as it is shown to a test or a script before it is
/// answered.
public struct IncomingPush: Sendable {
  /// Which of the emulator's requests this is, over all connections, in the order they arrived;
  /// the first is 1. Refused requests are counted too.
  public var number: Int
  /// The connection's number; the emulator's first one is 1.
  public var connection: Int
  /// The HTTP/2 stream.
  public var stream: Int32
  /// How many streams are open on the connection, this one included.
  public var openStreams: Int
  /// Who is to get it.
  public var token: DeviceToken
  /// The `apns-id` that the answer will carry: the client's own, or the one the emulator made.
  public var apnsID: String
  /// The request's headers as they arrived, pseudo-headers included.
  public var headers: HeaderBlock
  /// The payload as it arrived.
  public var body: [UInt8]
}

/// What the emulator does with a push that passed the strict checks.
public indirect enum EmulatorAnswer: Sendable, Hashable {
  /// Answers 200.
  case accept
  /// Answers with a status and a reason. The timestamp, in milliseconds since 1970, goes with 410;
  /// nil leaves it out.
  case reject(status: Status, reason: Reason, timestamp: Int64? = nil)
  /// Ends the stream with RST_STREAM and this code (RFC 9113 section 7).
  case reset(code: UInt32)
  /// Sends GOAWAY and then treats the push in another way, if the frame still covers its stream.
  /// Streams above the frame's last one are never answered.
  case goAway(ConnectionEnd, then: EmulatorAnswer)
  /// Sends what was answered so far and ends the connection without answering this push.
  case drop(Drop)
  /// Does not answer. The stream stays open until the client ends it.
  case swallow

  /// Answers with a known reason and the status that belongs to it.
  public static func reject(_ reason: Reason, timestamp: Int64? = nil) -> EmulatorAnswer {
    .reject(status: reason.info?.status ?? .badRequest, reason: reason, timestamp: timestamp)
  }
}

/// How a connection is ended without GOAWAY.
public enum Drop: String, Sendable, Hashable, CaseIterable {
  /// With a TCP reset.
  case rst
  /// With FIN, and no word from TLS: what a proxy does.
  case fin
  /// With TLS's close_notify, then FIN.
  case closeNotify
}

/// What a GOAWAY frame says (RFC 9113 section 6.8).
public struct ConnectionEnd: Sendable, Hashable {
  /// The last stream that the frame covers.
  public enum LastStream: Sendable, Hashable {
    /// The stream of the push that is being answered.
    case current
    /// The middle of the open streams: half of them, rounded down, are covered.
    case half
    /// A stream by its number.
    case exactly(Int32)
  }

  /// The last stream that the frame covers. It is raised to the highest stream that was answered,
  /// so that the frame never denies what the journal says.
  public var lastStream: LastStream
  /// The error code; 0 is a friendly goodbye.
  public var errorCode: UInt32
  /// What the debug data says, as APNs' JSON object; nil sends no debug data.
  public var reason: Reason?

  /// What a GOAWAY frame says.
  public init(lastStream: LastStream = .current, errorCode: UInt32 = 0, reason: Reason? = nil) {
    self.lastStream = lastStream
    self.errorCode = errorCode
    self.reason = reason
  }
}
