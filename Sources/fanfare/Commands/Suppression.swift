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
  /// Tells of bad lines on standard error.
  ///
  /// - Throws: `Failure` when the history is said in two ways.
  convenience init(_ options: SendingOptions, _ context: Context) throws(Failure) {
    let isQuiet = options.telling.quiet
    self.init(
      options.to.suppressedSources, format: options.to.format.format,
      report: BadLineReport(context, isQuiet: isQuiet).add)
    let history = options.running.dryRun ? nil : try options.telling.historyPath(context)
    _ = spools.prepare(for: sources, beside: history, isQuiet: isQuiet, context)
  }

  /// The lists of a run that is resumed.
  convenience init(_ sources: [RecipientSource], _ options: SendingOptions, _ context: Context) {
    self.init(
      sources, format: options.to.format.format,
      report: BadLineReport(context, isQuiet: options.telling.quiet).add)
  }
}
