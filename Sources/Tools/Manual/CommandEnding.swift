package import Reporting
internal import Scenarios
internal import Settings

// How a command ends.
extension Context {
  /// Writes what is pending. A full disk behind standard output must not look like success.
  ///
  /// - Parameter code: how the command ended.
  /// - Returns: how the process ends.
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

  /// Says on standard error why a command did not do its work.
  ///
  /// - Parameter path: the words of the command line that name the command, the tool's first.
  /// - Returns: how the command ended.
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
