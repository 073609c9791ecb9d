/// The exit codes of the process. Only `Main` exits with one.
package enum ExitCode: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case connection = 3
  case unfinished = 4
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  package var meaning: String {
    switch self {
    case .success:
      """
      Everything was accepted. Duplicates do not count as failures. After 'work': nothing is left.
      """
    case .failure:
      """
      A push was rejected, a row has no valid device token, results could not be written, or \
      'history diff' found a difference.
      """
    case .usage:
      "The command line or a file is wrong, or the notification breaks a rule. Nothing was sent."
    case .connection:
      """
      The key or certificate, DNS, TCP, a proxy, TLS, ALPN, or a 403 stopped the run, and nothing \
      was accepted.
      """
    case .unfinished: "Pushes are deferred, unknown, or were not attempted."
    case .hungUp: "Ended by SIGHUP: the terminal of 'fanfare emulator' was closed."
    case .interrupted: "Interrupted by SIGINT (Ctrl-C), after waiting for pushes in flight."
    case .terminated: "Ended by SIGTERM, after waiting for pushes in flight."
    }
  }

  /// The most important of several codes.
  package static func merged(_ codes: [ExitCode]) -> ExitCode {
    let order: [ExitCode] = [
      .interrupted, .terminated, .hungUp, .usage, .connection, .unfinished, .failure,
    ]
    return order.first { codes.contains($0) } ?? .success
  }
}
