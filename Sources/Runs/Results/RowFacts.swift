package import APNS
package import History
package import PushModel

/// A row's facts about its push that the history does not store.
package struct RowFacts: Sendable {
  /// The reasons the push was skipped, in sentences; empty if it was not.
  package var skippedFor: [String] = []
  /// The included columns of its list.
  package var columns: [String] = []
  /// The value of each column; none if the row can no longer be read.
  package var values = TemplateValues()
}

/// A push of the history, with facts from its row.
package struct DescribedPush: RecordedPush {
  package let entry: PushEntry
  package var facts = RowFacts()

  package init(entry: PushEntry, facts: RowFacts = RowFacts()) {
    (self.entry, self.facts) = (entry, facts)
  }

  package var sequence: UInt64 { entry.sequence }
  package var list: String { entry.list }
  package var line: Int { entry.line }
  package var channel: String? { entry.channel }
  package var outcome: Outcome { entry.outcome }
  package var response: Response? { entry.response }
  package var attempts: Int { entry.attempts }
  package var latencyMicroseconds: Int? { entry.latencyMicroseconds }
  package var answeredAt: Int64? { entry.answeredAt }
  package var registered: Int64? { entry.registered }
  package var skippedFor: [String] { facts.skippedFor }

  package func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer {
    entry.withToken(body)
  }

  package func withListed(
    _ column: Int, _ body: (TemplateValues.Kind, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    if column < facts.values.count {
      facts.values.withValue(at: column, body)
    } else {
      body(.missing, noBytes)
    }
  }
}
