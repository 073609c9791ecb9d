package import APNS
package import History
package import JSONText
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
package struct ResultStep: Record, Sendable {
  /// The scenario's name, or its file.
  package let scenario: String
  /// The step's number among the notifications, from 1.
  package let number: Int

  package init(scenario: String, number: Int) {
    (self.scenario, self.number) = (scenario, number)
  }

  package func encode(to encoder: inout some ColumnEncoder) {
    encoder.encode(RecordColumn("scenario", "The scenario's name, or its file."), text: scenario)
    encoder.encode(
      RecordColumn("step", "The step's number among the notifications."), number: number)
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

  /// The names of all columns, in order.
  static func columns(isOfStep: Bool, listing listed: [String]) -> [String] {
    (Outputs.result + (isOfStep ? Outputs.resultStep : [])).map(\.name) + listed
  }

  package func encode(to encoder: inout some ColumnEncoder) {
    encodePush(to: &encoder)
    encodeAnswer(to: &encoder)
    encoder.encode(
      RecordColumn("channel", "The broadcast channel; null for a device.", orNull: true),
      text: result.channel)
    step?.encode(to: &encoder)
    encoder.encode(listed, of: result)
  }

  private func encodePush(to encoder: inout some ColumnEncoder) {
    encoder.encode(
      RecordColumn("sequence", "The push's number in the run, from 1."),
      number: Int64(result.sequence))
    encoder.encode(
      RecordColumn("list", "The list of the recipient; '-' is standard input."), text: result.list)
    encoder.encode(RecordColumn("line", "The recipient's line in the list."), number: result.line)
    let token = RecordColumn(
      "token", "The whole device token, in lowercase; null for a channel.", orNull: true)
    if result.channel == nil {
      result.withToken { encoder.encode(token, digits: $0) }
    } else {
      encoder.encode(token, text: nil)
    }
    let id = RecordColumn(
      "apnsID",
      "The apns-id, or the apns-request-id of a push to a channel; the same on every attempt.")
    withApnsID { encoder.encode(id, digits: $0) }
    encoder.encode(RecordColumn("outcome", "What became of the push."), word: result.outcome)
  }

  private func encodeAnswer(to encoder: inout some ColumnEncoder) {
    let response = result.response
    encoder.encode(
      RecordColumn("status", "The HTTP status of the last answer.", orNull: true),
      number: response?.status.rawValue)
    encoder.encode(.reason, text: response?.reason?.rawValue)
    encoder.encode(.timestamp, number: response?.timestamp)
    encoder.encode(
      RecordColumn("uniqueID", "The apns-unique-id of the sandbox.", orNull: true),
      text: response?.uniqueID)
    encoder.encode(
      RecordColumn("attempts", "How many requests were made."), number: result.attempts)
    encoder.encode(
      RecordColumn("latencyMilliseconds", "From the last request to its answer.", orNull: true),
      milliseconds: result.latencyMicroseconds)
    encoder.encode(
      RecordColumn("answeredAt", "When the answer came, in milliseconds since 1970.", orNull: true),
      number: result.answeredAt)
    encoder.encode(
      RecordColumn("skippedFor", "Why it was skipped, if it was."), sentences: result.skippedFor)
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
      result.withListed(index) { encode(RecordColumn(name), $0, $1) }
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

  package func encode(to encoder: inout some ColumnEncoder) {
    encoder.encode(RecordColumn("run", "The run's number."), number: entry.run.rawValue)
    let listed = tellsColumns ? facts.columns : []
    ResultLine(
      result: DescribedPush(entry: entry, facts: facts), apnsID: entry.apnsID, listed: listed
    ).encode(to: &encoder)
  }
}

extension RecordColumn {
  static let reason = RecordColumn("reason", "Why APNs refused it.", orNull: true)
  static let timestamp = RecordColumn(
    "timestamp", "When APNs found the token dead, in milliseconds since 1970.", orNull: true)
}

extension Outputs {
  /// A push, in the form of `--results`.
  package static let result = ResultLine(result: sample, apnsID: sample.apnsID).keys

  /// The additional columns for a push of a scenario.
  package static let resultStep = ResultStep(scenario: "", number: 1).keys.map(\.sometimes)

  /// A push of the history: a line of `history list RUN` and of an export.
  package static let push = HistoryRecord(entry: sample).keys

  /// A push whose columns are described; its values are not used.
  package static let sample = PushEntry(
    run: .first, sequence: 1, apnsID: APNSID(.init(0, 0), sequence: 1), token: "",
    list: "", line: 1, outcome: .notAttempted, response: nil, attempts: 0, wasResentInDoubt: false,
    latencyMicroseconds: nil, at: 0, registered: nil, pass: 0)
}
