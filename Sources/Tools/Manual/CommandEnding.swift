package import Reporting
internal import Scenarios
internal import Settings

// Ending a command.
extension Context {
  /// Writes pending output. A full disk behind standard output must not look like success.
  ///
  /// - Parameter code: the command's exit code.
  /// - Returns: the process's exit code.
  package func finish(after code: ExitCode) -> ExitCode {
    var code = code
    do throws(FileFailure) { try output.complete("-", for: "output") } catch {
      let lost = Failure.lostOutput(error, after: code)
      warn(lost)
      code = lost.exitCode
    }
    errors.flush()
    return code
  }

  /// Reports a command's failure on standard error.
  ///
  /// - Parameter path: the words that name the command, starting with the tool's.
  /// - Returns: the command's exit code.
  package func tell(_ failure: Failure, of path: [String]) -> ExitCode {
    output.flush()
    if case .usage(let sentence) = failure.content {
      errors.write("fanfare: \(sentence)\nSee '\(path.joined(separator: " ")) --help'.\n")
    } else {
      let canDoWithoutHistory = ["send", "run"].contains(path.dropFirst().first)
      warn(failure, canDoWithoutHistory: canDoWithoutHistory)
      annotate(failure.problems)
    }
    return failure.exitCode
  }
}
