internal import APNS
internal import PlainText
internal import PushModel

/// Tells of rows that are skipped because they break a rule, the first few of them one by one.
final class SkippedRowReport {
  private static let limit = 10

  /// How many rows were skipped.
  private(set) var count = 0
  /// What was told of the first.
  private(set) var lines: [String] = []

  private let context: Context
  private let isQuiet: Bool

  init(_ context: Context, isQuiet: Bool) {
    self.context = context
    self.isQuiet = isQuiet
  }

  /// Counts and tells a push whose row breaks rules; false for any other.
  func tells(of push: Push) -> Bool {
    guard let problems = push.chunk.problems(at: push.index)?.problems else { return false }
    count += 1
    guard count <= Self.limit else { return true }
    let errors = problems.filter { $0.severity == .error }
    for problem in errors {
      let place = "\(push.chunk.list.printable):\(push.line)"
      lines.append("\(place): skipped: \(problem.message) [\(problem.rule)]")
      write(lines.last)
    }
    if count == Self.limit { write("Further skipped rows are only counted.") }
    context.errors.flush()
    return true
  }

  private func write(_ line: String?) {
    if !isQuiet, let line { context.errors.write(line + "\n") }
  }
}
