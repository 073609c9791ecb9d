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
    if !filter.runs.isEmpty {
      terms.append("runs.id IN (\(filter.runs.map(\.description).joined(separator: ", ")))")
    }
    if let since = filter.since {
      terms.append("started >= ?")
      values.append(.number(since))
    }
    if let until = filter.until {
      terms.append("started < ?")
      values.append(.number(until))
    }
    if let scenario = filter.scenario {
      terms.append("scenario = ?")
      values.append(.text(scenario))
    }
    if let environment = filter.environment {
      terms.append("environment = ?")
      values.append(.text(environment))
    }
    if let kind = filter.kind {
      terms.append("kind = ?")
      values.append(.text(kind.rawValue))
    }
    if !filter.outcomes.isEmpty { terms.append(Self.hasSome(filter.outcomes)) }
    // Any push except an accepted one may have been refused last.
    if !filter.reasons.isEmpty {
      terms.append(Self.hasSome(Outcome.allCases.filter { $0 != .accepted }))
    }
    sql = terms.joined(separator: " AND ")
    self.values = values
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
