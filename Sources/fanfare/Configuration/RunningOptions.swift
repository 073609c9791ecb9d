internal import CommandLineKit
internal import Delivery
internal import Projects

/// How to send.
struct RunningOptions: Sendable, Equatable {
  var dryRun = false
  var connections: ConnectionCount?
  var timeout = DurationArgument.preset(milliseconds: 30_000)
  var rate: RateArgument?
  var retries = RetryCount.preset(0)
  var retryDelay = DurationArgument.preset(milliseconds: 15 * 60_000)
  var atMostOnce = false
  var breaker = true
  var force = false

  static let group = OptionGroup<Self>("Running", rows + [force])

  /// For a notification whose rules were judged before.
  static let groupWithoutRules = OptionGroup<Self>("Running", rows)

  private static let force = Parameter<Self>.flag(
    "force", \.force, help: "Send a notification that breaks rules, where that is possible.")

  /// What a profile may say as well.
  static let limits = OptionGroup<Self>("Running", limitRows)

  private static let rows: [Parameter<Self>] =
    [.flag("dry-run", \.dryRun, short: "n", help: "Print the requests and send nothing.")]
    + limitRows + [
      .flag(
        "at-most-once", \.atMostOnce,
        help: "Never send again what may have arrived: no answer ends 'unknown'."),
      .flag(
        "no-breaker", \.breaker, sets: false,
        help: "Go on even when every push meets the same refusal."),
    ]

  private static let limitRows: [Parameter<Self>] =
    [
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
    ]
}

extension RunningOptions {
  /// Takes from a profile what no option says.
  mutating func fill(from profile: Profile) {
    connections = connections ?? profile.connections.map { ConnectionCount(count: $0) }
    rate = rate ?? profile.rate.flatMap { try? RateArgument(argument: $0) }
    if timeout.isPreset, let time = profile.timeoutMilliseconds {
      timeout = DurationArgument(milliseconds: time)
    }
    if retries.isPreset, let count = profile.retries { retries = RetryCount(count: count) }
    if retryDelay.isPreset, let time = profile.retryDelayMilliseconds {
      retryDelay = DurationArgument(milliseconds: time)
    }
  }

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
