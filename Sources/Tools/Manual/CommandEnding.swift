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
    do throws(FileFailure) {
      try teller.finish()
      return code
    } catch {
      let lost = Failure.lostOutput(error, after: code)
      teller.warn(lost)
      return lost.exitCode
    }
  }

  /// The report of a command's failure.
  ///
  /// - Parameter path: the words that name the command, starting with the tool's.
  package func report(_ failure: Failure, of path: [String]) -> Report {
    let report = Report(failure.exitCode)
    if case .usage(let sentence) = failure.content {
      return report.followed(by: [
        .lines([
          .verbatim("fanfare: \(sentence)"),
          .verbatim("See '\(path.joined(separator: " ")) --help'."),
        ])
      ])
    }
    let canDoWithoutHistory = ["send", "run"].contains(path.dropFirst().first)
    return report.followed(
      by: failure.parts(canDoWithoutHistory: canDoWithoutHistory)
        + annotations(of: failure.problems))
  }
}
