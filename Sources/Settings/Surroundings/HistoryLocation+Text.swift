internal import PlainText
package import PushModel
package import Reporting
internal import SQLHistory

extension HistoryLocation {
  /// The location without passwords, for display.
  package var shown: String { fault == nil ? text : "(hidden, as it may contain a password)" }

  /// The error in the location; nil when it is usable.
  package var fault: HistoryError? {
    if isPath { return nil }
    if !isServer { return .invalidAddress }
    do throws(HistoryError) { try checkURL() } catch { return error }
    return nil
  }
}

extension Failure {
  /// The location of the history from an option, variable or file is unusable. It is not repeated,
  /// because it may contain a password.
  package static func badHistory(_ error: HistoryError, from origin: String) -> Failure {
    let what =
      if case .secretInAddress = error { "contains a password, which others could read" } else {
        "is neither the path of a file nor the URL of a PostgreSQL database"
      }
    return Failure(
      "\(origin.printable) \(what).", fix: error.fix, cause: error,
      fixWhenSending: error.fixWhenSending)
  }
}
