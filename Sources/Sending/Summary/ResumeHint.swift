internal import APNS
internal import Reporting

/// How to continue with what a run left.
package struct ResumeHint {
  /// The number of a run that can be resumed; nil when it cannot.
  package let run: Int64?
  /// The history that has to be named; nil for the one that is used anyway.
  package var history: String?
  /// When the first deferred push is due, in milliseconds since 1970 UTC; nil when none waits.
  package let due: Int64?

  package init(run: Int64?, history: String? = nil, due: Int64?) {
    (self.run, self.history, self.due) = (run, history, due)
  }

  /// The command that continues; nil when none can.
  package var command: String? { command(resending: false) }

  /// - Parameter isResent: whether what is left is to be sent in a run of its own.
  package func command(resending isResent: Bool) -> String? {
    command(isResent ? "history resend" : "resume")
  }

  /// - Parameter verb: the command that is given the run.
  package func command(_ verb: String) -> String? {
    let place = history.map { " --history \(shellWord($0))" } ?? ""
    return run.map { "fanfare \(verb) \($0)\(place)" }
  }

  /// What to do about the only push of a run, which was deferred. Apple asks to wait 15 minutes.
  var retry: String {
    guard let command, let due else {
      return "Try again in 15 minutes, and wait twice as long each time after that."
    }
    return "Try again with '\(command)' from \(ISO8601.text(seconds: due / 1000))."
  }
}
