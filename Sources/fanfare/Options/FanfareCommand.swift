internal import CommandLineKit
internal import FanfareApp

/// A command of this tool.
protocol FanfareCommand: Command {
  /// Does the work.
  ///
  /// - Throws: `Failure`.
  func run(_ context: Context) throws -> ExitCode
}
