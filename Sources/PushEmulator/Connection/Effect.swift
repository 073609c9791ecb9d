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

/// A request on its way to an answer.
struct AnsweredPush {
  let request: ServerRequest
  /// The `apns-id` that the answer carries, or `apns-request-id` where it is about channels.
  let apnsID: String
  /// What it asks for.
  let path: PushPath
  /// What the journal keeps of it: the headers, the payload, where `authorization` is, and the
  /// client's own `apns-id` if the answer has it.
  let shape: RequestShape
  let body: [UInt8]
  let authorizationIndex: Int?
  let ownID: String?
  /// What it has to do with channels; nil for a push to a device.
  let channelPart: ChannelPart?
  /// What the journal says beside the answer.
  var note: String?
  /// What to do about what the note says; nil leaves that to the reason.
  var fixOfNote: String?
  /// The `apns-unique-id` that the answer carries; nil without one.
  var uniqueID: String?
  /// In how many milliseconds the answer is given.
  var delay = 0
  /// Whether it counts as processed whatever the answer is.
  var isProcessed = false

  /// The name of the header that its ID has, in the request and in the answer.
  var idHeader: String { channelPart == nil ? "apns-id" : "apns-request-id" }

  /// Adds to what the journal says.
  mutating func add(_ text: String) { note = note.map { "\($0); \(text)" } ?? text }
}
