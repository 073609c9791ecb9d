internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

/// `fanfare history prune`
struct HistoryPruneCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "prune", "Delete old runs and free their disk space.",
    discussion: """
      Deletes runs that match --older-than or --keep. A run that is being sent is never deleted, \
      and one that 'fanfare resume' could continue only with --unfinished. Other processes can send \
      meanwhile; then the space is kept for later runs, and the next prune frees it. PostgreSQL \
      always keeps it for later runs.
      """,
    examples: [
      Example(
        "fanfare history prune --older-than 30d", "Delete runs that ended at least 30 days ago."),
      Example(
        "fanfare history prune --keep 100 --dry-run", "See what keeping only 100 runs would delete."
      ),
    ])

  var olderThan: TimeArgument?
  var prune = HistoryPrune()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Prune",
        [
          .option(
            "older-than", \.olderThan, value: "TIME",
            help: "Delete runs that ended before then: '30d' ago, a date, or an ISO 8601 time."),
          .option("keep", \.prune.keep, value: "N", help: "Delete all but the newest N runs."),
          .flag(
            "unfinished", \.prune.takesUnfinished,
            help: "Also delete runs that could still be resumed."),
          .flag(
            "dry-run", \.prune.isDryRun, help: "Print what would be deleted, and delete nothing."),
          .flag("json", \.prune.isJSON, help: "Print one JSON object."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.prune.settings)]

  func run(_ context: Context) throws -> Report {
    let before = olderThan.map {
      ($0.milliseconds("--older-than", context), $0.argumentText)
    }
    return try prune.run(before: before, context)
  }
}
