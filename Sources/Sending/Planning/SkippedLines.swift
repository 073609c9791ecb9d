internal import APNS
internal import PlainText
package import PushModel
package import Reporting
internal import Synchronization

/// Reports skipped lines of lists on standard error, the first ten individually.
package final class SkippedLines: Sendable {
  private static let limit = 10

  private let name: String
  private let teller: Teller
  private let state = Mutex<(count: Int, told: [String])>((0, []))

  /// - Parameter name: the plural noun for the lines.
  package init(_ name: String, _ teller: Teller) { (self.name, self.teller) = (name, teller) }

  var count: Int { state.withLock { $0.count } }

  /// The messages about the first lines.
  package var told: [String] { state.withLock { $0.told } }

  package func add(_ line: BadLine) { add(line.list, line.line, [line.error.clause]) }

  /// Counts and reports a push whose row breaks rules; returns false for any other.
  func reports(_ push: Push) -> Bool {
    guard let problems = push.chunk.problems(at: push.index)?.problems else { return false }
    add(
      push.chunk.list, push.line,
      problems.filter { $0.severity == .error }.map { "\($0.message) [\($0.rule)]" })
    return true
  }

  package func add(_ list: String, _ line: Int, _ reasons: [String]) {
    let lines = reasons.map { "\(list.printable):\(line): skipped: \($0)" }
    let number = state.withLock { state in
      state.count += 1
      if state.count <= Self.limit { state.told += lines }
      return state.count
    }
    if number > Self.limit { return }
    let end = number == Self.limit ? ["Further \(name) are only counted."] : []
    teller.note((lines + end).joined(separator: "\n"))
  }
}
