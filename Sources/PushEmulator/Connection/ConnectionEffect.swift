internal import HTTP2

/// An effect of a connection on its client, now or later.
enum ConnectionEffect {
  /// Answers a request.
  case respond(ServerRequest, ServerAnswer)
  /// Answers a request at a certain pace, with a possible aftermath.
  case respondOddly(ServerRequest, ServerAnswer, CustomAnswer.Pace, CustomAnswer.Aftermath?)
  /// Repeatedly releases more bytes of an answer.
  case release(ServerRequest, bytes: Int, milliseconds: Int)
  /// Ends a stream with RST_STREAM.
  case reset(ServerRequest, code: UInt32)
  /// Sends the notice before a GOAWAY.
  case notice
  /// Sends GOAWAY because of a push on a stream.
  case goAway(ConnectionEnd, stream: Int32)
  /// Ends the connection.
  case drop(Drop)
  /// Stops reading and sending for this many milliseconds, or for good.
  case freeze(milliseconds: Int?)
  /// Sends SETTINGS or WINDOW_UPDATE.
  case announce(Announcement)
}

/// A request that is being answered.
struct AnsweredPush {
  let request: ServerRequest
  /// The answer's `apns-id`, or its `apns-request-id` for a request about channels.
  let apnsID: String
  /// The request's target.
  let path: PushPath
  /// The facts for the journal: the headers, the payload, the position of `authorization`, and the
  /// client's own `apns-id` if the answer repeats it.
  let shape: RequestShape
  let body: [UInt8]
  let authorizationIndex: Int?
  let ownID: String?
  /// The channel part of the request; nil for a push to a device.
  let channelPart: ChannelPart?
  /// The journal's note besides the answer.
  var note: String?
  /// The fix for the note; nil uses the one for the reason.
  var fixOfNote: String?
  /// The answer's `apns-unique-id`; nil without one.
  var uniqueID: String?
  /// The delay of the answer, in milliseconds.
  var delay = 0
  /// The push counts as processed whatever the answer is.
  var isProcessed = false

  /// The name of the ID's header, in the request and the answer.
  var idHeader: String { channelPart == nil ? "apns-id" : "apns-request-id" }

  /// Adds to the journal's note.
  mutating func add(_ text: String) { note = note.map { "\($0); \(text)" } ?? text }
}
