internal import APNS
internal import PlainText
package import PushModel
package import Recipients
package import Reporting
package import Settings
internal import Synchronization

/// The device tokens of `--suppress`, read once: a pipe would be empty the second time.
package final class Suppression: Sendable {
  let sources: [RecipientSource]
  /// Copies of the lists that can be read only once, for `resume`.
  let spools = ListSpools()

  private let format: ListFormat
  private let report: @Sendable (BadLine) -> Void
  private let read = Mutex<SuppressedTokens?>(nil)

  /// - Parameter report: called for each line without a device token.
  package init(
    _ sources: [RecipientSource], format: ListFormat, report: @escaping @Sendable (BadLine) -> Void
  ) {
    (self.sources, self.format, self.report) = (sources, format, report)
  }

  /// Creates a suppression whose lists need no copies. Bad lines are reported on standard error.
  package convenience init(_ sources: [RecipientSource], _ settings: Settings, _ context: Context) {
    self.init(
      sources, format: settings.listFormat,
      report: SkippedLines("bad lines", context.teller).add)
  }

  /// Creates a suppression from settings, with copies of lists that can be read only once.
  ///
  /// - Throws: `Failure` when options about the history contradict each other.
  package convenience init(_ settings: Settings, _ context: Context) throws(Failure) {
    self.init(settings.suppressedSources, settings, context)
    let history = settings.sendNothing ? nil : try settings.historyPath()
    _ = spools.prepare(for: sources, beside: history, context)
  }

  /// The device tokens to leave out; nil without lists.
  package func tokens() throws(ListError) -> SuppressedTokens? {
    if let read = read.withLock({ $0 }) { return read }
    if sources.isEmpty { return nil }
    let tokens = try SuppressedTokens(
      sources, format: format, spools: spools.spools, report: report)
    read.withLock { $0 = tokens }
    return tokens
  }
}

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
