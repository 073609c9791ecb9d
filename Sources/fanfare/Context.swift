internal import CommandLineKit
internal import HTTP2

/// What a command may know and use of the world around it.
struct Context: Sendable {
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
  /// The commands, of which completions and manual are made.
  let tool: Tool
  /// The profiles that can be named; none unless somebody says where they are.
  var configuration = Configuration.none
}

/// A command of this tool.
protocol FanfareCommand: Command {
  /// Does the work.
  ///
  /// - Throws: `Failure`.
  func run(_ context: Context) throws -> ExitCode
}
