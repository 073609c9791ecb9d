internal import CommandLineKit

/// How the process ends. Only `Main` turns one into an exit.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case connection = 3
  case unfinished = 4
  case interrupted = 130
  case terminated = 143

  /// What it means: the table in help, manual and `explain`.
  var meaning: String {
    switch self {
    case .success: "Everything was accepted. Duplicates do not count against it."
    case .failure:
      """
      A push was rejected, a row is no device token, results could not be written, or what \
      'history diff' compares differs.
      """
    case .usage:
      "The command line, a file's text, or a rule that the notification breaks. Nothing was sent."
    case .connection:
      """
      The key or certificate, DNS, TCP, a proxy, TLS, ALPN, or a 403 stopped the run, and nothing \
      was accepted.
      """
    case .unfinished: "Pushes are deferred, unknown, or were not attempted."
    case .interrupted: "Interrupted by SIGINT, Ctrl-C. What was in flight was waited for."
    case .terminated: "Ended by SIGTERM. What was in flight was waited for."
    }
  }

  /// The table as help wants it.
  static var definitions: [Definition] {
    allCases.map { Definition(String($0.rawValue), $0.meaning) }
  }

  /// Of several codes the one that tells most.
  static func merged(_ codes: [ExitCode]) -> ExitCode {
    let order: [ExitCode] = [
      .interrupted, .terminated, .usage, .connection, .unfinished, .failure,
    ]
    return order.first { codes.contains($0) } ?? .success
  }
}
