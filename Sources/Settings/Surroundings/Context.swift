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
  package let passwordPrompt = PasswordPrompt()
  /// The files of profiles.
  package var configuration: Configuration

  package init(
    environment: [String: String], output: Output, errors: Output, clock: RunClock,
    localOffset: @escaping @Sendable (Int64) -> Int64 = systemOffset,
    configuration: Configuration = .none
  ) {
    (self.environment, self.clock, self.localOffset) = (environment, clock, localOffset)
    self.configuration = configuration
    teller = Teller(
      data: output, errors: errors, showsUTF8: environment.showUTF8, offset: localOffset)
  }

  /// The same context, whose teller prints what the settings want.
  package func telling(_ settings: Settings) -> Context {
    var context = self
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
