internal import HTTP2

/// What a command may know and use of the world around it.
package struct Context: Sendable {
  /// The environment's variables.
  let environment: [String: String]
  /// Standard output: data.
  let output: Output
  /// Standard error: everything else.
  let errors: Output
  /// Time and chance.
  let clock: RunClock
  /// SIGINT and SIGTERM.
  let signals = Signals()
  /// Where passwords are asked for.
  let passwordPrompt = PasswordPrompt()
  /// The profiles that can be named; none unless somebody says where they are.
  var configuration = Configuration.none
}

extension Context {
  /// Prints a report on standard output, and says how the process ends.
  func tell(_ report: Report, asJSON: Bool) -> ExitCode {
    output.write(asJSON ? ReportJSON.bytes(report) : Array(text.text(of: report).utf8))
    return report.exitCode
  }

  /// Prints parts of a report for people, at once.
  func tell(_ parts: [Report.Part]) {
    output.write(text.text(of: parts))
    output.flush()
  }

  /// Prints what went wrong, or should be known, on standard error.
  func warn(_ parts: [Report.Part]) {
    errors.write(ReportText(style: Style(hasColor: errors.hasColor)).text(of: parts))
    errors.flush()
  }

  /// How reports are printed on standard output.
  private var text: ReportText {
    ReportText(
      style: Style(hasColor: output.hasColor), hasMarks: output.isTerminal && showsUTF8,
      width: output.isTerminal ? output.width : .max)
  }

  /// Whether the locale's characters are UTF-8 (POSIX.1, 8.2: the first of these that is set).
  private var showsUTF8: Bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
    let locale = set.first { !$0.isEmpty }?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}
