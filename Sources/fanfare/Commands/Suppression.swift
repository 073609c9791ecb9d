internal import PushCore

/// The device tokens of `--suppress`, read once: a pipe would be empty the second time.
final class Suppression {
  private let options: RecipientOptions
  private let report: @Sendable (BadLine) -> Void
  private var read: SuppressedTokens?

  init(_ options: RecipientOptions, report: @escaping @Sendable (BadLine) -> Void) {
    self.options = options
    self.report = report
  }

  /// Who is not sent to; nil when nobody was named.
  func tokens() throws(ListError) -> SuppressedTokens? {
    if read == nil, !options.suppress.isEmpty {
      read = try SuppressedTokens(
        options.suppressedSources, format: options.format.format, report: report)
    }
    return read
  }
}

extension Suppression {
  /// Tells of bad lines on standard error.
  convenience init(_ options: SendingOptions, _ context: Context) {
    self.init(options.to, report: BadLineReport(context, isQuiet: options.telling.quiet).add)
  }
}
