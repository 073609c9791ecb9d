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
package struct ResultStep: JSONDescribed, Sendable {
  /// The scenario's name, or its file.
  package let scenario: String
  /// The step's number among the notifications, from 1.
  package let number: Int

  package init(scenario: String, number: Int) {
    (self.scenario, self.number) = (scenario, number)
  }

  package static let fields: [OutputField<Self>] = [
    .always("scenario", \.scenario, "The scenario's name, or its file."),
    .always("step", \.number, "The step's number among the notifications."),
  ]
}

/// A push in the form of `--results`, `--json` and exports: stable, documented in docs/formats.md.
/// Device tokens are complete.
package struct ResultLine<Result: RecordedPush>: Sendable {
  package let result: Result
  package let apnsID: APNSID

  package init(result: Result, apnsID: APNSID) {
    (self.result, self.apnsID) = (result, apnsID)
  }

  /// - Parameters:
  ///   - step: the step, which adds its fields; nil for none.
  ///   - listed: the names of the list's own columns, which come last.
  package static func fields(
    of step: ResultStep? = nil, listing listed: [String] = []
  ) -> [OutputField<Self>] {
    let steps: [OutputField<Self>] =
      step.map { step in [.all(ResultStep.fields) { _ in step }] } ?? []
    return push + answer + [
      .always("channel", \.result.channel, "The broadcast channel; null for a device.")
    ] + steps + [.all(Result.listed(listed), of: \.result)]
  }

  private static var push: [OutputField<Self>] {
    [
      .always("sequence", \.result.sequence, "The push's number in the run, from 1."),
      .always("list", \.result.list, "The list of the recipient; '-' is standard input."),
      .always("line", \.result.line, "The recipient's line in the list."),
      .digits(
        "token", "The whole device token, in lowercase; null for a channel.", .orNull(.text)
      ) { line, body in
        line.result.channel == nil ? line.result.withToken { body($0) } : body(nil)
      },
      .digits(
        "apnsID",
        "The apns-id, or the apns-request-id of a push to a channel; the same on every attempt."
      ) { $0.withApnsID($1) },
      .always("outcome", \.result.outcome, "What became of the push."),
    ]
  }

  private static var answer: [OutputField<Self>] {
    let latency = "latencyMilliseconds"
    return [
      .always(
        "status", \.result.response?.status.rawValue, "The HTTP status of the last answer."),
      .all(Result.refusal, of: \.result),
      .always("uniqueID", \.result.response?.uniqueID, "The apns-unique-id of the sandbox."),
      .always("attempts", \.result.attempts, "How many requests were made."),
      .init(
        keys: [.init(latency, .orNull(.number), "From the last request to its answer.")]
      ) { $1.write(latency, $0.result.latencyMicroseconds.map { .thousandths($0) } ?? .json(nil)) },
      .always(
        "answeredAt", \.result.answeredAt, "When the answer came, in milliseconds since 1970."),
      .sometimes(
        "skippedFor", { $0.result.skippedFor.isEmpty ? nil : $0.result.skippedFor },
        "Why it was skipped, if it was."),
    ]
  }

  private func withApnsID(_ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: APNSID.textLength) { text in
      apnsID.write(to: text)
      body(UnsafeBufferPointer(text))
    }
  }
}

extension OutputField {
  /// Returns a field of digits and hyphens, which are passed as they are in memory; nil for none.
  static func digits(
    _ name: String, _ meaning: String, _ shape: JSONShape = .text,
    _ digits: @escaping @Sendable (Source, (UnsafeBufferPointer<UInt8>?) -> Void) -> Void
  ) -> Self {
    Self(keys: [.init(name, shape, meaning)]) { source, writer in
      digits(source) { writer.write(name, $0.map { .digits($0) } ?? .json(nil)) }
    }
  }
}

extension RecordedPush {
  /// Why APNs refused it, and since when its device token is dead.
  static var refusal: [OutputField<Self>] {
    [
      .always("reason", \.response?.reason?.rawValue, "Why APNs refused it."),
      .always(
        "timestamp", \.response?.timestamp,
        "When APNs found the token dead, in milliseconds since 1970."),
    ]
  }

  /// The list's own columns, which are not described: they are not known in advance.
  static func listed(_ columns: [String]) -> [OutputField<Self>] {
    columns.indices.map { index in
      OutputField(keys: []) { $0.write(index, as: columns[index], to: $1) }
    }
  }

  /// Writes the row's value in an included column.
  package func write(_ column: Int, as name: String, to writer: any FieldWriter) {
    withListed(column) { kind, value in
      writer.write(
        name, kind == .missing ? .json(nil) : .listed(value, isJSON: kind == .json))
    }
  }
}

extension DescribedPush: JSONDescribed {
  /// A push of the history: its run and result, with the list's own columns at the end.
  package static let fields: [OutputField<Self>] =
    described + [
      .init(keys: []) { push, writer in
        for (index, name) in push.facts.columns.enumerated() {
          push.write(index, as: name, to: writer)
        }
      }
    ]

  /// The fields without the list's own columns.
  package static let described: [OutputField<Self>] = [
    .always("run", \.entry.run.rawValue, "The run's number."),
    .all(ResultLine<Self>.fields()) { ResultLine(result: $0, apnsID: $0.entry.apnsID) },
  ]
}

extension Outputs {
  /// A push, in the form of `--results`.
  package static let result = ResultLine<DescribedPush>.fields().keys()

  /// The additional columns for a push of a scenario.
  package static let resultStep = ResultStep.fields.keys().map(\.sometimes)

  /// A push of the history: a line of `history list RUN` and of an export.
  package static let push = DescribedPush.described.keys()
}
