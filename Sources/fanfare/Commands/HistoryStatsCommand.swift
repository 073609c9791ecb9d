internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

/// `fanfare history stats`
struct HistoryStatsCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "stats", "Count pushes by run, day, reason, topic or environment.",
    discussion: """
      Prints for each group the number of pushes, of accepted, rejected and other ones, the share \
      that was accepted, and the latency in milliseconds (p50, p95, p99). Days are in UTC; a push \
      belongs to the day of its result. On a terminal there are bars.
      """,
    examples: [
      Example("fanfare history stats --since 7d", "The runs of the last week."),
      Example("fanfare history stats --by day", "One line per day."),
      Example("fanfare history stats 12 --by reason", "The answers to the pushes of run 12."),
      Example(
        "fanfare history stats --by topic --env production --json", "Each app as a JSON object."),
    ])

  var runs: [RunArgument] = []
  var filter = HistoryFilterOptions()
  var stats = HistoryStats()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Figures",
        [
          .arguments("run", \.runs, help: "Count the pushes of these runs.", completion: .runs),
          .option("by", \.stats.grouping, value: "WHAT", help: "Group pushes by this."),
          .flag(
            "json", \.stats.isJSON, help: "Print one JSON object per line, the last for all pushes."
          ),
        ])
    ] + [
      HistoryFilterOptions.group.inside(\Self.filter),
      SettingOptions.historyPlace.inside(\Self.stats.settings),
    ]

  func run(_ context: Context) throws -> Report {
    var stats = stats
    stats.filter = filter.filter(of: runs, context)
    return try stats.run(context)
  }
}
