public import APNS

/// What the emulator does with a push that passed the strict checks.
///
/// It is decided, and stands in the journal, when the push arrives. What comes later, because it is
/// delayed or trickles, is only the answer.
public indirect enum EmulatorAnswer: Sendable, Hashable {
  /// Answers 200.
  case accept
  /// Answers with a status and a reason. The timestamp, in milliseconds since 1970, goes with 410;
  /// nil leaves it out.
  case reject(status: Status, reason: Reason, timestamp: Int64? = nil)
  /// Answers as no APNs does on a good day.
  case custom(CustomAnswer)
  /// Ends the stream with RST_STREAM and this code (RFC 9113 section 7).
  case reset(code: UInt32)
  /// Sends GOAWAY and then treats the push in another way, if the frame still covers its stream.
  /// Streams above the frame's last one are never answered.
  case goAway(ConnectionEnd, then: EmulatorAnswer)
  /// Sends what was answered so far and ends the connection without answering this push.
  case drop(Drop)
  /// Does not answer. The stream stays open until the client ends it.
  case swallow
  /// Does the rest so many milliseconds later; other pushes go on meanwhile.
  case delay(milliseconds: Int, then: EmulatorAnswer)
  /// Takes the push for delivery, as the journal then says, whatever the client is told: with
  /// `reset`, `drop` and `swallow` it is one that the client cannot know of.
  case processed(then: EmulatorAnswer)
  /// Stops reading and sending on this connection, PING frames included, for so many milliseconds;
  /// nil for as long as the emulator runs. Requests that had arrived are treated, and their answers
  /// go out afterwards.
  case freeze(milliseconds: Int?, then: EmulatorAnswer)
  /// Sends SETTINGS or WINDOW_UPDATE, and then treats the push in another way.
  case announce(Announcement, then: EmulatorAnswer)

  /// Answers with a known reason and the status that belongs to it.
  public static func reject(_ reason: Reason, timestamp: Int64? = nil) -> EmulatorAnswer {
    .reject(status: reason.info?.status ?? .badRequest, reason: reason, timestamp: timestamp)
  }
}
