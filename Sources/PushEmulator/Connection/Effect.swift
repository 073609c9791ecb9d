internal import HTTP2

/// What a connection does to its client, now or later.
enum Effect {
  /// Answers a request.
  case respond(ServerRequest, ServerAnswer)
  /// Answers a request; what comes of it besides.
  case respondOddly(ServerRequest, ServerAnswer, CustomAnswer.Pace, CustomAnswer.Aftermath?)
  /// Lets more bytes of an answer go, again and again.
  case release(ServerRequest, bytes: Int, milliseconds: Int)
  /// Ends a stream with RST_STREAM.
  case reset(ServerRequest, code: UInt32)
  /// Announces GOAWAY.
  case notice
  /// Sends GOAWAY, on the occasion of a push on a stream.
  case goAway(ConnectionEnd, stream: Int32)
  /// Ends the connection.
  case drop(Drop)
  /// Stops reading and sending for so many milliseconds, or for good.
  case freeze(milliseconds: Int?)
  /// Sends SETTINGS or WINDOW_UPDATE.
  case announce(Announcement)
}
