internal import APNS
internal import History
internal import PushModel
internal import Reporting

/// The way to continue with the remainder of a run.
package struct ResumeHint {
  /// The number of the run; nil when it cannot be resumed.
  package var run: Int64?
  /// The history to name in commands; nil for the one used by default.
  package var history: String?
  /// The configuration file to name in commands; nil for the one used by default.
  package var config: String?
  /// The time the first deferred push is due, in milliseconds since 1970 UTC; nil when none waits.
  package let due: Int64?
  /// The files of results to continue.
  package var files = RunOutputFiles()

  package init(run: Int64?, history: String? = nil, due: Int64?) {
    (self.run, self.history, self.due) = (run, history, due)
  }

  /// The command to continue a run in the history.
  package init(_ stored: StoredRun, history: String?) {
    self.init(run: stored.entry.run.rawValue, history: history, due: nil)
    (files, config) = (stored.settings?.files ?? files, stored.settings?.config)
  }

  /// The command to continue; nil when there is none.
  package var command: String? {
    command("resume").map { files.isEmpty ? $0 : "\($0) \(files.options)" }
  }

  /// - Parameter verb: the command that takes the run as argument.
  package func command(_ verb: String) -> String? {
    let places = [("history", history), ("config", config)].compactMap { option, path in
      path.map { " --\(option) \(shellWord($0))" }
    }
    return run.map { "fanfare \(verb) \($0)\(places.joined())" }
  }

  /// The advice for a run's only push when it was deferred. Apple asks to wait 15 minutes.
  var retry: String {
    guard let command, let due else {
      return "Try again in 15 minutes, and wait twice as long each time after that."
    }
    return "Try again with '\(command)' from \(ISO8601.text(seconds: due / 1000))."
  }
}
