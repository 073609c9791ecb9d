internal import APNS
package import Credentials
package import HTTP2
internal import POSIX
internal import PlainText
package import Reporting

/// The surroundings of a command: variables, terminal, clock and files.
package struct Context: Sendable {
  package let environment: [String: String]
  /// Standard output, for data.
  package let output: Output
  /// Standard error, for everything else.
  package let errors: Output
  /// Time and randomness.
  package let clock: RunClock
  /// Returns the offset from UTC in seconds at a time, for times written without a zone.
  package let localOffset: @Sendable (Int64) -> Int64
  /// SIGINT and SIGTERM.
  package let signals = Signals()
  package let passwordPrompt = PasswordPrompt()
  /// The files of profiles.
  package var configuration: Configuration

  package init(
    environment: [String: String], output: Output, errors: Output, clock: RunClock,
    localOffset: @escaping @Sendable (Int64) -> Int64 = systemOffset,
    configuration: Configuration = .none
  ) {
    (self.environment, self.output, self.errors) = (environment, output, errors)
    (self.clock, self.localOffset, self.configuration) = (clock, localOffset, configuration)
  }
}

// Output.
extension Context {
  /// Prints a line on standard error at once.
  package func say(_ line: String) {
    errors.write(line + "\n")
    errors.flush()
  }

  /// Prints a report on standard output, and returns the exit code.
  package func tell(_ report: Report, asJSON: Bool) -> ExitCode {
    output.write(asJSON ? ReportJSON.bytes(report) : Array(text.text(of: report).utf8))
    return report.exitCode
  }

  /// Prints parts of a report for people at once.
  package func tell(_ parts: [Report.Part]) {
    output.write(text.text(of: parts))
    output.flush()
  }

  /// Prints errors or notices on standard error.
  package func warn(_ parts: [Report.Part]) {
    let text = ReportText(
      style: Style(hasColor: errors.hasColor), width: errors.isTerminal ? errors.width : .max)
    errors.write(text.text(of: parts))
    errors.flush()
  }

  /// Prints a failure on standard error.
  package func warn(_ failure: Failure, canDoWithoutHistory: Bool = false) {
    warn(failure.parts(canDoWithoutHistory: canDoWithoutHistory))
  }

  /// The printer for reports on standard output.
  private var text: ReportText {
    ReportText(
      style: Style(hasColor: output.hasColor), hasMarks: output.isTerminal && showsUTF8,
      width: output.isTerminal ? output.width : .max, tableWidth: output.tableWidth)
  }

  /// The locale's encoding is UTF-8 (POSIX.1, 8.2: the first of these that is set).
  package var showsUTF8: Bool {
    let locale = first(of: ["LC_ALL", "LC_CTYPE", "LANG"])?.value.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }
}

// Questions.
extension Context {
  /// There is a terminal for questions.
  package var canAsk: Bool {
    guard errors.isOnTerminal, let terminal = openTerminal() else { return false }
    close(terminal)
    return true
  }

  /// Asks for confirmation on the terminal; nil without one.
  package func confirms(_ question: String) -> Bool? {
    guard errors.isOnTerminal, let terminal = openTerminal() else { return nil }
    defer { close(terminal) }
    errors.write(question)
    errors.flush()
    var line = [UInt8](repeating: 0, count: 256)
    let count = read(terminal, &line, line.count)
    return Self.isYes(String(decoding: line.prefix(max(0, count)), as: UTF8.self))
  }

  static func isYes(_ text: String) -> Bool {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    return words == ["y"] || words == ["yes"]
  }
}

// Variables.
extension Context {
  /// The value of a variable; nil when it is unset or empty.
  package func setting(_ variable: EnvironmentVariable) -> Setting<String>? {
    first(of: [variable.rawValue]).map {
      variable.isPath ? Setting($0.value.expandingTilde(home), $0.origin) : $0
    }
  }

  /// A key or certificate from a variable: text or a path.
  package func keyText(_ value: String) -> KeyText { KeyText(value.expandingTilde(home)) }

  package func value(_ variable: EnvironmentVariable) -> String? { setting(variable)?.value }

  /// The first of curl's proxy variables that is set and not empty.
  var proxyVariable: Setting<String>? {
    first(of: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
  }

  /// The hosts reached directly unless an option names the proxy, with the syntax of curl.
  package var proxyExceptions: String { first(of: ["no_proxy", "NO_PROXY"])?.value ?? "" }

  private func first(of names: [String]) -> Setting<String>? {
    names.lazy.compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : Setting($0, .setting(name)) }
    }.first
  }
}

// Folders.
extension Context {
  /// The home folder, for `~`; nil when it is unknown.
  package var home: String? { environment["HOME"] }

  /// The default history; nil without a home folder.
  var defaultHistory: String? {
    stateFolder.map { $0 + "/history.sqlite" }
  }

  /// The folder for persistent state; nil without a home folder.
  package var stateFolder: String? { environment.folder("XDG_STATE_HOME", inHome: ".local/state") }

  /// The cache for sharing provider tokens with other commands; nil without a home folder.
  package var tokenCache: ProviderTokenCache? {
    environment.folder("XDG_CACHE_HOME", inHome: ".cache").map { ProviderTokenCache(folder: $0) }
  }

  /// The folder for temporary files.
  package var temporaryFolder: String { first(of: ["TMPDIR"])?.value ?? "/tmp" }
}

extension Context {
  /// Seconds since 1970 UTC.
  package var now: Int64 { clock.epochSeconds }
}
