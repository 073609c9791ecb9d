internal import CommandLineKit

/// How to send.
struct RunningOptions: Sendable, Equatable {
  var dryRun = false
  var connections: ConnectionCount?
  var timeout = DurationArgument(milliseconds: 30_000)
  var breaker = true
  var force = false

  static let group = OptionGroup<Self>(
    "Running",
    [
      .flag("dry-run", \.dryRun, short: "n", help: "Print the requests and send nothing."),
      .option(
        "connections", \.connections, value: "N",
        help: "How many connections; without it one per core, at most 4."),
      .option("timeout", \.timeout, value: "TIME", help: "How long to wait for an answer."),
      .flag(
        "no-breaker", \.breaker, sets: false,
        help: "Go on even when every push meets the same refusal."),
      .flag(
        "force", \.force, help: "Send a notification that breaks rules, where that is possible."),
    ])
}
