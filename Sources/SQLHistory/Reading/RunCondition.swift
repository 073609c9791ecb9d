internal import APNS
internal import History
internal import PushModel

/// The conditions of a filter on runs, in SQL, over `runs` joined with `progress`.
struct RunCondition {
  /// The condition. Its parameters have no numbers.
  let sql: String

  private let values: [Value]

  private enum Value {
    case number(Int64)
    case text(String)
  }

  init(_ filter: HistoryFilter) {
    var terms = ["true"]
    var values: [Value] = []
    func compare(_ column: String, _ value: Value?) {
      guard let value else { return }
      terms.append("\(column) ?")
      values.append(value)
    }
    if !filter.runs.isEmpty {
      terms.append("runs.id IN (\(filter.runs.map(\.description).joined(separator: ", ")))")
    }
    compare("started >=", filter.since.map(Value.number))
    compare("started <", filter.until.map(Value.number))
    compare("scenario =", filter.scenario.map(Value.text))
    compare("environment =", filter.environment.map(Value.text))
    compare("kind =", filter.kind.map { .text($0.rawValue) })
    compare("push_type =", filter.pushType.map(Value.text))
    if let id = filter.bundleID {
      let topics = PushType.table.map { id + $0.suffix }
      terms.append("topic IN (\(topics.map { _ in "?" }.joined(separator: ", ")))")
      values += topics.map(Value.text)
    }
    if let text = filter.text {
      // SQLite knows the cases of ASCII letters only, PostgreSQL those of its locale.
      terms.append("(payload LIKE ? ESCAPE '\\' OR lower(payload) LIKE ? ESCAPE '\\')")
      values += [Self.pattern(text), Self.pattern(text.lowercased())]
    }
    if let now = filter.unfinishedAt { terms.append(UnfinishedRuns.condition(at: now)) }
    if !filter.outcomes.isEmpty { terms.append(Self.hasSome(filter.outcomes)) }
    // Any push except an accepted one may have been refused last.
    if !filter.reasons.isEmpty {
      terms.append(Self.hasSome(Outcome.allCases.filter { $0 != .accepted }))
    }
    sql = terms.joined(separator: " AND ")
    self.values = values
  }

  /// The pattern for `LIKE` of what contains a text.
  private static func pattern(_ text: String) -> Value {
    .text("%" + text.map { "\\%_".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "%")
  }

  private static func hasSome(_ outcomes: some Sequence<Outcome>) -> String {
    "(" + outcomes.map { "\($0.column) > 0" }.joined(separator: " OR ") + ")"
  }

  /// - Parameter first: the number of its first parameter.
  func bind(to statement: borrowing Statement, from first: Int32) {
    for (index, value) in values.enumerated() {
      switch value {
      case .number(let number): statement.bind(number, at: first + Int32(index))
      case .text(let text): statement.bind(text, at: first + Int32(index))
      }
    }
  }
}

extension Outcome {
  /// The column of `progress` that counts it.
  fileprivate var column: String { self == .notAttempted ? "not_attempted" : rawValue }
}
