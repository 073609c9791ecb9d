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
package struct ResultStep: Sendable {
  /// The scenario's name, or its file.
  package let scenario: String
  /// The step's number among the notifications, from 1.
  package let number: Int

  fileprivate func fields<Source>() -> [OutputField<Source>] {
    [
      .text("scenario", { _ in scenario }, "The scenario's name, or its file."),
      .integer("step", { _ in Int64(number) }, "The step's number among the notifications."),
    ]
  }
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
    let steps: [OutputField<Self>] = step?.fields() ?? []
    return push + answer + steps + OutputField<Self>.listed(listed) { $0.result }
  }

  private static var push: [OutputField<Self>] {
    [
      .integer("sequence", { Int64($0.result.sequence) }, "The push's number in the run, from 1."),
      .text("list", { $0.result.list }, "The list of the recipient; '-' is standard input."),
      .integer("line", { Int64($0.result.line) }, "The recipient's line in the list."),
      .digits(
        "token", "The whole device token, in lowercase; null for a channel.", .orNull(.text)
      ) { line, body in
        line.result.channel == nil ? line.result.withToken { body($0) } : body(nil)
      },
      .digits(
        "apnsID",
        "The apns-id, or the apns-request-id of a push to a channel; the same on every attempt."
      ) { $0.withApnsID($1) },
      .text(
        "outcome", { $0.result.outcome.rawValue }, "What became of the push.", Outcome.jsonShape),
    ]
  }

  private static var answer: [OutputField<Self>] {
    [
      .integer(
        "status", { $0.result.response.map { Int64($0.status.rawValue) } },
        "The HTTP status of the last answer.", .orNull(.integer)), .reason { $0.result },
      .timestamp { $0.result },
      .text(
        "uniqueID", { $0.result.response?.uniqueID }, "The apns-unique-id of the sandbox.",
        .orNull(.text)),
      .integer("attempts", { Int64($0.result.attempts) }, "How many requests were made."),
      .value(
        "latencyMilliseconds", { $0.result.latencyMicroseconds.map { .thousandths($0) } ?? .null },
        "From the last request to its answer.", .orNull(.number)),
      .integer(
        "answeredAt", { $0.result.answeredAt },
        "When the answer came, in milliseconds since 1970.", .orNull(.integer)),
      .init(
        keys: [
          JSONShape.Key("skippedFor", .array(.text), "Why it was skipped, if it was.").sometimes
        ]
      ) { line, writer in
        let reasons = line.result.skippedFor
        writer.write("skippedFor", reasons.isEmpty ? nil : .json(reasons.jsonValue))
      },
      .text(
        "channel", { $0.result.channel }, "The broadcast channel; null for a device.",
        .orNull(.text)),
    ]
  }

  private func withApnsID(_ body: (UnsafeBufferPointer<UInt8>?) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: APNSID.textLength) { text in
      apnsID.write(to: text)
      body(UnsafeBufferPointer(text))
    }
  }
}

// Fields that are written for each of millions of pushes: no key paths, no JSON values.
extension OutputField {
  static func value(
    _ name: String, _ value: @escaping @Sendable (Source) -> FieldValue, _ meaning: String,
    _ shape: JSONShape
  ) -> Self {
    Self(keys: [.init(name, shape, meaning)]) { $1.write(name, value($0)) }
  }

  static func text(
    _ name: String, _ text: @escaping @Sendable (Source) -> String?, _ meaning: String,
    _ shape: JSONShape = .text
  ) -> Self {
    value(name, { text($0).map { .text($0) } ?? .null }, meaning, shape)
  }

  static func integer(
    _ name: String, _ number: @escaping @Sendable (Source) -> Int64?, _ meaning: String,
    _ shape: JSONShape = .integer
  ) -> Self {
    value(name, { number($0).map { .integer($0) } ?? .null }, meaning, shape)
  }

  /// Digits and hyphens, which are passed as they are in memory; nil for none.
  static func digits(
    _ name: String, _ meaning: String, _ shape: JSONShape = .text,
    _ digits: @escaping @Sendable (Source, (UnsafeBufferPointer<UInt8>?) -> Void) -> Void
  ) -> Self {
    Self(keys: [.init(name, shape, meaning)]) { source, writer in
      digits(source) { writer.write(name, $0.map { .digits($0) } ?? .null) }
    }
  }

  static func reason<Push: RecordedPush>(
    _ push: @escaping @Sendable (Source) -> Push
  ) -> Self {
    text(
      "reason", { push($0).response?.reason?.rawValue }, "Why APNs refused it.", .orNull(.text))
  }

  static func timestamp<Push: RecordedPush>(
    _ push: @escaping @Sendable (Source) -> Push
  ) -> Self {
    integer(
      "timestamp", { push($0).response?.timestamp },
      "When APNs found the token dead, in milliseconds since 1970.", .orNull(.integer))
  }

  /// The list's own columns, which are not described: they are not known in advance.
  static func listed<Push: RecordedPush>(
    _ columns: [String], of push: @escaping @Sendable (Source) -> Push
  ) -> [Self] {
    columns.indices.map { index in
      Self(keys: []) { push($0).write(index, as: columns[index], to: $1) }
    }
  }
}

extension RecordedPush {
  /// Writes the row's value in an included column.
  package func write(_ column: Int, as name: String, to writer: any FieldWriter) {
    withListed(column) { kind, value in
      writer.write(name, kind == .missing ? .null : .listed(value, isJSON: kind == .json))
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
    .init(keys: resultFields.keys()) { push, writer in
      let line = ResultLine(result: push, apnsID: push.entry.apnsID)
      for field in resultFields { field.write(line, writer) }
    },
  ]

  private static let resultFields = ResultLine<Self>.fields()
}

extension Outputs {
  /// A push, in the form of `--results`.
  package static let result = ResultLine<DescribedPush>.fields().keys()

  /// The additional columns for a push of a scenario.
  package static let resultStep = stepFields.keys().map(\.sometimes)

  private static let stepFields: [OutputField<DescribedPush>] =
    ResultStep(scenario: "", number: 1).fields()

  /// A push of the history: a line of `history list RUN` and of an export.
  package static let push = DescribedPush.described.keys()
}
