internal import PlainText
internal import PushModel
internal import SQLHistory

extension HistoryLocation {
  /// As it may be shown: a password in it is not.
  var shown: String { fault == nil ? text : "(hidden, as it may contain a password)" }

  /// Why no history can be there; nil when one can.
  var fault: HistoryError? {
    if isPath { return nil }
    if !isServer { return .invalidAddress }
    do throws(HistoryError) { try checkURL() } catch { return error }
    return nil
  }
}

extension Failure {
  /// What an option, a variable or a file says of the history's place cannot be used. The text is not
  /// repeated, because it may contain a password.
  static func badHistory(_ error: HistoryError, from origin: String) -> Failure {
    let what =
      if case .secretInAddress = error { "contains a password, which others could read" } else {
        "is neither the path of a file nor the URL of a PostgreSQL database"
      }
    return Failure(
      "\(origin.printable) \(what).", fix: error.fix, cause: error,
      fixWhenSending: error.fixWhenSending)
  }
}
