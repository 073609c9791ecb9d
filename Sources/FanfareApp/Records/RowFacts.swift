internal import APNS
internal import History
internal import PushModel

/// What a row of a list says of its push that the history does not have.
struct RowFacts: Sendable {
  /// Why the push was skipped, in sentences; empty when it was not.
  var skippedFor: [String] = []
  /// The columns of its list that are told.
  var columns: [String] = []
  /// A value for each of them; none where the row cannot be read any more.
  var values = TemplateValues()
}

/// A push of the history, with what its row says.
struct ToldPush: RecordedPush {
  let entry: PushEntry
  var facts = RowFacts()

  var sequence: UInt64 { entry.sequence }
  var list: String { entry.list }
  var line: Int { entry.line }
  var channel: String? { entry.channel }
  var outcome: Outcome { entry.outcome }
  var response: Response? { entry.response }
  var attempts: Int { entry.attempts }
  var latencyMicroseconds: Int? { entry.latencyMicroseconds }
  var answeredAt: Int64? { entry.answeredAt }
  var registered: Int64? { entry.registered }
  var skippedFor: [String] { facts.skippedFor }

  func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer {
    entry.withToken(body)
  }

  func withListed(
    _ column: Int, _ body: (TemplateValues.Kind, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    if column < facts.values.count {
      facts.values.withValue(at: column, body)
    } else {
      body(.missing, noBytes)
    }
  }
}
