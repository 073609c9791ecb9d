internal import CommandLineKit
internal import PushCore

/// How to send.
struct RunningOptions: Sendable, Equatable {
  var dryRun = false
  var connections: ConnectionCount?
  var timeout = DurationArgument(milliseconds: 30_000)
  var rate: RateArgument?
  var retries = RetryCount(count: 0)
  var retryDelay = DurationArgument(milliseconds: 15 * 60_000)
  var atMostOnce = false
  var breaker = true
  var force = false

  static let group = OptionGroup<Self>("Running", rows + [force])

  /// For a notification whose rules were judged before.
  static let groupWithoutRules = OptionGroup<Self>("Running", rows)

  private static let force = Parameter<Self>.flag(
    "force", \.force, help: "Send a notification that breaks rules, where that is possible.")

  private static let rows: [Parameter<Self>] =
    [
      .flag("dry-run", \.dryRun, short: "n", help: "Print the requests and send nothing."),
      .option(
        "connections", \.connections, value: "N",
        help: "How many connections; without it one per core, at most 4."),
      .option("timeout", \.timeout, value: "TIME", help: "How long to wait for an answer."),
      .option(
        "rate", \.rate, value: "N[/s|/m]",
        help: "The most pushes in a second or minute, evenly, over all connections."),
      .option(
        "retries", \.retries, value: "N",
        help: "How often to try again when APNs asks to come back later (5xx)."),
      .option(
        "retry-delay", \.retryDelay, value: "TIME",
        help: "How long to wait before the first of these; each further wait is twice as long."),
      .flag(
        "at-most-once", \.atMostOnce,
        help: "Never send again what may have arrived: no answer ends 'unknown'."),
      .flag(
        "no-breaker", \.breaker, sets: false,
        help: "Go on even when every push meets the same refusal."),
    ]
}

extension RunningOptions {
  /// What becomes of pushes that cannot be delivered at once.
  ///
  /// - Parameter isOnePush: whether there is only one, and somebody waits for its answer.
  func retryRules(isOnePush: Bool) -> RetryRules {
    RetryRules(
      retries: retries.count, retryDelayMilliseconds: retryDelay.milliseconds,
      isAtMostOnce: atMostOnce, waitsForSlowTokens: !isOnePush,
      rejectsForCredentials: isOnePush)
  }
}
