internal import PlainText
internal import PushModel
internal import Synchronization

/// Tells of lines that are no recipient, the first few of them one by one.
final class BadLineReport: Sendable {
  private static let limit = 10

  private let context: Context
  private let isQuiet: Bool
  private let count = Atomic(0)

  init(_ context: Context, isQuiet: Bool) {
    self.context = context
    self.isQuiet = isQuiet
  }

  func add(_ line: BadLine) {
    let number = count.add(1, ordering: .relaxed).newValue
    guard !isQuiet, number <= Self.limit else { return }
    context.errors.write("\(line.list.printable):\(line.line): skipped: \(line.error.clause)\n")
    if number == Self.limit { context.errors.write("Further bad lines are only counted.\n") }
    context.errors.flush()
  }
}
