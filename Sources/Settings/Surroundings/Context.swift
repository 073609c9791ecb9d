internal import APNS
package import Credentials
package import HTTP2
internal import PlainText
package import Reporting

/// The surroundings of a command: variables, terminal, clock and files.
package struct Context: Sendable {
  package let environment: [String: String]
  /// Standard output and standard error.
  package private(set) var teller: Teller
  /// Time and randomness.
  package let clock: RunClock
  /// Returns the offset from UTC in seconds at a time, for times written without a zone.
  package let localOffset: @Sendable (Int64) -> Int64
  /// SIGINT and SIGTERM.
  package let signals = Signals()
  package private(set) var passwordPrompt: PasswordPrompt
  /// The files of profiles.
  package var configuration: Configuration

  /// - Parameter terminal: where questions are asked; nil if they cannot be.
  package init(
    environment: [String: String], output: Output, errors: Output, terminal: Terminal? = nil,
    clock: RunClock,
    localOffset: @escaping @Sendable (Int64) -> Int64 = systemOffset,
    configuration: Configuration = .none
  ) {
    (self.environment, self.clock, self.localOffset) = (environment, clock, localOffset)
    self.configuration = configuration
    passwordPrompt = PasswordPrompt(on: terminal)
    teller = Teller(
      data: output, errors: errors, terminal: terminal, showsUTF8: environment.showUTF8,
      offset: localOffset)
  }

  /// The same context, whose teller prints what the settings want. A plan asks nobody: what needs an
  /// answer is refused, as without a terminal.
  package func telling(_ settings: Settings) -> Context {
    var context = self
    if settings.plan.isOn {
      context.teller.terminal = nil
      context.passwordPrompt = PasswordPrompt(on: nil)
    }
    context.teller.level =
      settings.quiet.isOn ? .quiet : settings.verbose.isOn ? .verbose : .usual
    return context
  }
}

extension [String: String] {
  /// The locale's encoding is UTF-8 (POSIX.1, 8.2: the first of these that is set).
  fileprivate var showUTF8: Bool {
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { self[$0] }
      .first { !$0.isEmpty }?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
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

  /// Whether a variable says yes or no; nil when it is unset or empty.
  ///
  /// - Throws: `Failure` when it says anything else.
  package func answer(_ variable: EnvironmentVariable) throws(Failure) -> Bool? {
    guard let text = value(variable) else { return nil }
    guard let answer = EnvironmentVariable.answers[text.lowercased()] else {
      throw .badSetting(
        name: variable.rawValue, text: text,
        expected: "1, true, yes or on, or else 0, false, no or off")
    }
    return answer
  }

  /// Refuses variables that say neither yes nor no, before they are needed.
  package func checkAnswers() throws(Failure) {
    for variable in EnvironmentVariable.allCases where variable.isAnswer {
      _ = try answer(variable)
    }
  }

  /// The first of curl's proxy variables that is set and not empty.
  var proxyVariable: Setting<String>? {
    first(of: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
  }

  /// The hosts reached directly unless an option names the proxy, with the syntax of curl.
  package var proxyExceptions: String { first(of: ["no_proxy", "NO_PROXY"])?.value ?? "" }

  private func first(of names: [String]) -> Setting<String>? {
    names.lazy.compactMap { name in
      text(of: name).map { Setting($0, .setting(name)) }
    }.first
  }

  /// The value of a variable of any name, without line ends and byte order marks around it; nil when
  /// it is unset or empty.
  package func text(of name: String) -> String? {
    environment[name].map(\.withoutLineEnds).flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension String {
  /// The text without the line ends and byte order marks around it that editors add.
  fileprivate var withoutLineEnds: String {
    func isAdded(_ scalar: Unicode.Scalar) -> Bool { ["\n", "\r", "\u{FEFF}"].contains(scalar) }
    let scalars = unicodeScalars.drop(while: isAdded)
    guard let last = scalars.lastIndex(where: { !isAdded($0) }) else { return "" }
    return String(scalars[...last])
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
