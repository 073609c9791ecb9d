/// The choice of when to use something that only some terminals understand.
package enum WhenChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless environment variables say otherwise.
  case auto
  case always
  case never

  func isOn(auto: Bool) -> Bool { self == .always || (self == .auto && auto) }
}

/// What environment variables tell of an output.
struct TerminalFacts {
  private let environment: [String: String]
  private let isTerminal: Bool

  /// - Parameter isTerminal: whether the output is a terminal that understands escape sequences.
  init(_ environment: [String: String], isTerminal: Bool) {
    (self.environment, self.isTerminal) = (environment, isTerminal)
  }

  var hasColor: Bool {
    let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "")
    return isForced || (isTerminal && isUnset("NO_COLOR"))
  }

  /// Terminals that do not know links leave them out.
  var hasLinks: Bool { isTerminal && isUnset("NO_COLOR") && isUnset("CI") }

  /// Others would show the sequence as a notification.
  var takesProgress: Bool {
    hasLinks
      && (["ghostty", "WezTerm"].contains(environment["TERM_PROGRAM"]) || !isUnset("WT_SESSION")
        || environment["ConEmuANSI"] == "ON")
  }

  private func isUnset(_ variable: String) -> Bool { (environment[variable] ?? "").isEmpty }
}
