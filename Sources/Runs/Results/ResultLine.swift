package import APNS
package import History
package import PushModel
package import Reporting

/// A push and its result, either just sent or from the history.
package protocol RecordedPush: Sendable {
  var sequence: UInt64 { get }
  var list: String { get }
  var line: Int { get }
  var outcome: Outcome { get }
  var response: Response? { get }
  var attempts: Int { get }
  var latencyMicroseconds: Int? { get }
  var answeredAt: Int64? { get }
  /// The app's registration time in the list, in seconds since 1970; nil if not given.
  var registered: Int64? { get }

  /// The reasons it was skipped, in sentences; empty if it was not.
  var skippedFor: [String] { get }

  /// The broadcast channel; nil for a push to a device.
  var channel: String? { get }

  /// Calls `body` with the digits of the device token; none for a channel.
  func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer

  /// Calls `body` with the row's value in an included column, by the column's index.
  func withListed(
    _ column: Int, _ body: (TemplateValues.Kind, UnsafeBufferPointer<UInt8>) -> Void)
}

extension PushResult: RecordedPush {
  package var sequence: UInt64 { push.sequence }
  package var list: String { push.chunk.list }
  package var line: Int { push.line }
  package var registered: Int64? { push.chunk.registered(at: push.index) }
  package var channel: String? { push.channel }

  package func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer {
    push.chunk.withToken(at: push.index, body)
  }

  package var skippedFor: [String] {
    guard outcome == .skipped else { return [] }
    if let broken = push.chunk.problems(at: push.index) { return broken.problems.skippedFor }
    return ["Its apns-expiration had passed."]
  }

  package func withListed(
    _ column: Int, _ body: (TemplateValues.Kind, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    push.chunk.withListed(column, at: push.index, body) ?? body(.missing, noBytes)
  }
}

/// The value of a row without one.
var noBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nil, count: 0) }

extension [Problem] {
  /// The reasons a row is skipped: a sentence with a fix for each error.
  var skippedFor: [String] {
    filter { $0.severity == .error }.map { "\($0.message) \($0.fix) [\($0.rule)]" }
  }
}

extension PushEntry: RecordedPush {
  /// Not in the history: see ``RowFacts``.
  package var skippedFor: [String] { [] }

  package func withListed(
    _ column: Int, _ body: (TemplateValues.Kind, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    body(.missing, noBytes)
  }

  package func withToken<Answer>(_ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer {
    var token = token
    return token.withUTF8(body)
  }
}

/// The scenario's step that a push belongs to, in the last columns of its line.
package struct ResultStep: Sendable {
  package static let columns = ["scenario", "step"]

  /// The scenario's name, or its file.
  package let scenario: String
  /// The step's number among the notifications, from 1.
  package let number: Int

  package init(scenario: String, number: Int) {
    (self.scenario, self.number) = (scenario, number)
  }
}

/// A push in the form of `--results`, `--json` and exports: stable, documented in docs/formats.md.
/// Device tokens are complete.
package struct ResultLine<Result: RecordedPush>: Record, Sendable {
  package let result: Result
  package let apnsID: APNSID
  /// The step, which adds its columns; nil for none.
  var step: ResultStep?
  /// The names of the list's own columns, which come last.
  package var listed: [String] = []

  package init(result: Result, apnsID: APNSID, step: ResultStep? = nil, listed: [String] = []) {
    (self.result, self.apnsID, self.step, self.listed) = (result, apnsID, step, listed)
  }

  package static var columns: [String] {
    [
      "sequence", "list", "line", "token", "apnsID", "outcome", "status", "reason", "timestamp",
      "uniqueID", "attempts", "latencyMilliseconds", "answeredAt", "skippedFor", "channel",
    ]
  }

  /// All columns, in encoding order.
  static func columns(isOfStep: Bool, listing listed: [String]) -> [String] {
    columns + (isOfStep ? ResultStep.columns : []) + listed
  }

  package func encode(to encoder: inout some ColumnEncoder) {
    let response = result.response
    encoder.encode("sequence", number: Int64(result.sequence))
    encoder.encode("list", text: result.list)
    encoder.encode("line", number: result.line)
    encodeToken(to: &encoder)
    withApnsID { encoder.encode("apnsID", digits: $0) }
    encoder.encode("outcome", text: result.outcome.rawValue)
    encoder.encode("status", number: response?.status.rawValue)
    encoder.encode("reason", text: response?.reason?.rawValue)
    encoder.encode("timestamp", number: response?.timestamp)
    encoder.encode("uniqueID", text: response?.uniqueID)
    encoder.encode("attempts", number: result.attempts)
    encoder.encode("latencyMilliseconds", milliseconds: result.latencyMicroseconds)
    encoder.encode("answeredAt", number: result.answeredAt)
    encoder.encode("skippedFor", sentences: result.skippedFor)
    encoder.encode("channel", text: result.channel)
    if let step {
      encoder.encode("scenario", text: step.scenario)
      encoder.encode("step", number: step.number)
    }
    encoder.encode(listed, of: result)
  }

  private func encodeToken(to encoder: inout some ColumnEncoder) {
    if result.channel == nil {
      result.withToken { encoder.encode("token", digits: $0) }
    } else {
      encoder.encode("token", text: nil)
    }
  }

  private func withApnsID(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: APNSID.textLength) { text in
      apnsID.write(to: text)
      body(UnsafeBufferPointer(text))
    }
  }
}

extension ColumnEncoder {
  /// Encodes the list's own columns.
  mutating func encode(_ columns: [String], of result: some RecordedPush) {
    for (index, name) in columns.enumerated() {
      result.withListed(index) { encode(name, $0, $1) }
    }
  }
}

/// A push of the history: its run and result.
package struct HistoryRecord: Record {
  package let entry: PushEntry
  /// Additional values from its row.
  package var facts = RowFacts()
  /// The list's own columns are included, at the end.
  package var tellsColumns = true

  package init(entry: PushEntry, facts: RowFacts = RowFacts(), tellsColumns: Bool = true) {
    (self.entry, self.facts, self.tellsColumns) = (entry, facts, tellsColumns)
  }

  package static var columns: [String] { ["run"] + ResultLine<PushEntry>.columns }

  package func encode(to encoder: inout some ColumnEncoder) {
    encoder.encode("run", number: entry.run.rawValue)
    let listed = tellsColumns ? facts.columns : []
    ResultLine(
      result: DescribedPush(entry: entry, facts: facts), apnsID: entry.apnsID, listed: listed
    ).encode(to: &encoder)
  }
}

extension PushEntry {
  /// The push as a line of JSON.
  package var jsonLine: [UInt8] { HistoryRecord(entry: self).jsonLine }
}
