internal import POSIX

/// The voice of a command: it alone speaks while something is under way, and prints the report.
///
/// Standard output takes data and reports, standard error everything else. What waits for standard
/// output is written before anything goes to standard error, so that a terminal shows both in order.
package struct Teller: Sendable {
  /// The notices that are wanted.
  package enum Level: Sendable {
    /// Errors, and what nothing else reports.
    case quiet
    case usual
    /// Details as well.
    case verbose
  }

  package var level = Level.usual
  /// Standard output, for a command that prints data row by row.
  package let data: Output

  private let errors: Output
  /// Where questions are asked; nil if they cannot be.
  package var terminal: Terminal?
  /// The terminal shows UTF-8.
  private let showsUTF8: Bool
  private let offset: @Sendable (Int64) -> Int64

  /// - Parameters:
  ///   - terminal: where questions are asked; nil if they cannot be.
  ///   - offset: the local offset from UTC in seconds, at a time in seconds since 1970.
  package init(
    data: Output, errors: Output, terminal: Terminal? = nil, showsUTF8: Bool,
    offset: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
  ) {
    (self.data, self.errors, self.terminal) = (data, errors, terminal)
    (self.showsUTF8, self.offset) = (showsUTF8, offset)
  }
}

// Notices, at once.
extension Teller {
  /// Prints a line with `--verbose`.
  package func detail(_ line: String) {
    if level == .verbose { warn(line) }
  }

  /// Prints a line, unless `--quiet`.
  package func note(_ line: String) {
    if level != .quiet { warn(line) }
  }

  /// Prints parts, unless `--quiet`.
  package func note(_ parts: [Report.Part]) {
    if level != .quiet { warn(parts) }
  }

  /// Prints a line that must not be missed.
  package func warn(_ line: String) {
    let lines = line.split(separator: "\n", omittingEmptySubsequences: false)
    warn([.lines(lines.map { StyledText(String($0)) })])
  }

  /// Prints a line, unless `--quiet`, without waiting for the reader of standard output, which may
  /// have stalled.
  package func noteAside(_ line: String) {
    if level != .quiet { warnAside(line) }
  }

  /// Prints a warning, without waiting for the reader of standard output.
  package func warnAside(_ line: String) {
    errors.write(notices.text(of: [.lines([StyledText(line)])]))
    errors.flush()
  }

  /// Prints a line if a terminal shows it.
  package func hint(_ line: String) {
    if errors.isOnTerminal { warn(line) }
  }

  /// Prints errors or warnings.
  package func warn(_ parts: [Report.Part]) { write(notices.text(of: parts)) }

  /// The text on standard error, whose lines are sentences.
  private var notices: ReportText {
    let style = errors.style.telling(offset)
    var text = ReportText(style: style, width: errors.isTerminal ? errors.width : .max)
    text.wrapsLines = true
    return text
  }

  /// - Parameter canDoWithoutHistory: true for a command that sends, and can do so without a history.
  package func warn(_ failure: Failure, canDoWithoutHistory: Bool = false) {
    warn(failure.parts(canDoWithoutHistory: canDoWithoutHistory))
  }

  private func write(_ text: String) {
    data.flush()
    errors.write(text)
    errors.flush()
  }
}

// Reports.
extension Teller {
  /// Prints a report, with its notices around it.
  ///
  /// - Returns: the exit code.
  @discardableResult
  package func show(_ report: Report) -> ExitCode {
    if !report.before.isEmpty { warn(report.before) }
    switch report.audience {
    case .people: data.write(text.text(of: report))
    case .programs(.all): data.write(ReportJSON.bytes(report))
    case .programs(let fields): data.write(fields.line(report.json))
    }
    data.flush()
    let notices = report.after + (data.failure == nil ? [] : report.ifLost)
    if !notices.isEmpty { warn(notices) }
    return report.exitCode
  }

  /// Prints parts for people at once.
  package func show(_ parts: [Report.Part]) {
    data.write(text.text(of: parts))
    data.flush()
  }

  /// The style of reports.
  package var style: Style { data.style.telling(offset) }

  /// The width to fill with a drawing; nil where no terminal shows it.
  package var drawingWidth: Int? { data.isTerminal ? data.width : nil }

  /// Signs that are not in ASCII can be shown.
  package var showsSigns: Bool { data.isTerminal && showsUTF8 }

  private var text: ReportText {
    ReportText(
      style: style, hasMarks: showsSigns, width: drawingWidth ?? .max, tableWidth: data.tableWidth)
  }

  /// Writes what is pending.
  ///
  /// - Throws: `FileFailure` if standard output took less than was printed.
  package func finish() throws(FileFailure) {
    defer { errors.flush() }
    try data.complete("-", for: "output")
  }
}

// The status line and questions.
extension Teller {
  /// The room for the status line, in columns; nil without a terminal.
  package var statusWidth: Int? {
    // A line that wraps could not be erased.
    errors.isTerminal ? errors.width - 1 : nil
  }

  /// Draws or replaces the line at the bottom of the terminal; nil removes it.
  ///
  /// - Parameter percent: how much is done, for terminals that show it elsewhere; nil when it is
  ///   unknown.
  package func showStatus(_ line: String?, percent: Int? = nil) {
    errors.showBottom(line, percent: percent)
  }

  /// Removes the line at the bottom of the terminal for good: the process is about to end.
  package func endStatus() { errors.endBottom() }

  /// There is a terminal for questions.
  package var canAsk: Bool { terminal?.canAsk ?? false }

  /// Notices are seen on a terminal, above a question.
  package var showsNotices: Bool { errors.isOnTerminal && level != .quiet }

  /// Prints a question on standard error, whose answer follows on the same line.
  package func ask(_ question: String) { write(question) }

  /// Asks for confirmation on the terminal; nil without one.
  package func confirms(_ question: String) -> Bool? {
    guard let terminal = terminal?.open() else { return nil }
    defer { close(terminal) }
    data.flush()
    errors.flush()
    type(question, on: terminal)
    var line = [UInt8](repeating: 0, count: 256)
    let count = read(terminal, &line, line.count)
    return Self.isYes(String(decoding: line.prefix(max(0, count)), as: UTF8.self))
  }

  static func isYes(_ text: String) -> Bool {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    return words == ["y"] || words == ["yes"]
  }
}
