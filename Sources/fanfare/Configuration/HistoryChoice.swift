internal import CommandLineKit
internal import Projects

extension TellingOptions {
  /// The history's file: as the option says, else the variable, else the profile, else its usual
  /// place (XDG Base Directory Specification); nil with `--no-history`, and where there is no home.
  func historyPath(_ context: Context) throws(Failure) -> String? {
    guard keepsHistory else {
      if history != nil { throw .usage(.conflict("--history", "--no-history")) }
      if keepPayloads { throw .usage(.conflict("--keep-payloads", "--no-history")) }
      return nil
    }
    return try context.historyPath(history)
  }
}

extension Context {
  /// The history's file, unless there shall be none.
  ///
  /// - Parameter option: what the command line says.
  /// - Returns: nil where there is no home.
  /// - Throws: `Failure.usage` when the option names nothing.
  func historyPath(_ option: String?) throws(Failure) -> String? {
    if option?.isEmpty ?? false {
      throw .usage(
        .badValue(
          "--history", text: "", why: .expected("a file path"), choices: [], near: []))
    }
    if let said = option ?? value(.history) { return said }
    return try profile()?.history ?? stateFolder.map { $0 + "/history.sqlite" }
  }

  /// Where files may go that nobody needs for long.
  var temporaryFolder: String {
    environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
  }

  /// Where this tool keeps what it remembers; nil when there is no such place.
  fileprivate var stateFolder: String? {
    folder("XDG_STATE_HOME", "/fanfare") ?? folder("HOME", "/.local/state/fanfare")
  }

  /// A folder that a variable names. Relative paths are ignored, as the specification wants.
  func folder(_ variable: String, _ rest: String) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 + rest : nil }
  }
}
