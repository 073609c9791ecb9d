internal import HTTP2

/// A request on its way to an answer.
struct AnsweredPush {
  let request: ServerRequest
  let path: PushPath
  /// The `apns-id` that the answer carries.
  let apnsID: String
  /// What the journal says beside the answer.
  var note: String?
  /// In how many milliseconds the answer is given.
  var delay = 0
  /// Whether it counts as processed whatever the answer is.
  var isProcessed = false

  /// Adds to what the journal says.
  mutating func add(_ text: String) { note = note.map { "\($0); \(text)" } ?? text }
}
