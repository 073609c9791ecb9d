package import PushModel
package import Recipients
package import Reporting
internal import Runs
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
    let history = settings.dryRun.isOn ? nil : try settings.historyPath()
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
