internal import Projects
internal import PushModel
internal import Recipients
internal import Synchronization

/// The device tokens of `--suppress`, read once: a pipe would be empty the second time.
final class Suppression: Sendable {
  /// The lists.
  let sources: [RecipientSource]
  /// Copies of those that can be read only once, for `resume`.
  let spools = ListSpools()

  private let format: ListFormat
  private let report: @Sendable (BadLine) -> Void
  private let read = Mutex<SuppressedTokens?>(nil)

  /// - Parameter report: is told of each line that suppresses nobody.
  init(
    _ sources: [RecipientSource], format: ListFormat, report: @escaping @Sendable (BadLine) -> Void
  ) {
    self.sources = sources
    self.format = format
    self.report = report
  }

  /// Who is not sent to; nil when nobody was named.
  func tokens() throws(ListError) -> SuppressedTokens? {
    if let read = read.withLock({ $0 }) { return read }
    if sources.isEmpty { return nil }
    let tokens = try SuppressedTokens(
      sources, format: format, spools: spools.spools, report: report)
    read.withLock { $0 = tokens }
    return tokens
  }
}

extension Suppression {
  /// Tells of bad lines on standard error, and keeps copies of what can be read only once.
  ///
  /// - Throws: `Failure` when options about the history contradict each other.
  convenience init(_ settings: Settings, _ context: Context) throws(Failure) {
    self.init(settings.suppressedSources, settings, context)
    let history = settings.dryRun.isOn ? nil : try settings.historyPath()
    _ = spools.prepare(
      for: sources, beside: history, isQuiet: settings.quiet.isOn, context)
  }

  /// Lists that were copied before.
  convenience init(_ sources: [RecipientSource], _ settings: Settings, _ context: Context) {
    self.init(
      sources, format: settings.listFormat,
      report: BadLineReport(context, isQuiet: settings.quiet.isOn).add)
  }
}
