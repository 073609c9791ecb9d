internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

/// `fanfare history list`
struct HistoryListCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "list", "List runs or pushes, newest first.",
    discussion: """
      Lists runs. Lists pushes if run numbers are given, or if an outcome, a reason, a device \
      token or an apns-id is asked for.
      """,
    examples: [
      Example("fanfare history list --since 2h", "The runs of the last two hours."),
      Example("fanfare history list 12 --outcome rejected", "The rejected pushes of run 12."),
      Example("fanfare history list --token 4f1c09ab", "All pushes to a device."),
      Example(
        "fanfare history list --reason BadDeviceToken --json --limit 1000",
        "Up to a thousand pushes as JSON Lines."),
    ])

  var runs: [RunArgument] = []
  var filter = HistoryFilterOptions()
  var list = HistoryList()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "List",
        [
          .arguments("run", \.runs, help: "List the pushes of these runs.", completion: .runs),
          .flag("pushes", \.list.wantsPushes, help: "List pushes in any case."),
          .flag(
            "numbers", \.list.onlyNumbers, help: "Print only the numbers of runs, one per line."),
          .option(
            "limit", \.list.page.limit, value: "N", help: "Maximum number of rows; 0 for all."),
          .option("skip", \.list.page.skip, value: "N", help: "Skip this many rows first."),
          .json(help: "Print one JSON object per line, or only these fields of it.") {
            $0.list.json = $1
          },
          .flag("show-tokens", \.list.showsTokens, help: "Show whole device tokens."),
        ])
    ] + [
      HistoryFilterOptions.group.inside(\Self.filter),
      SettingOptions.historyPlace.inside(\Self.list.settings),
    ]

  func run(_ context: Context) throws -> Report {
    var list = list
    list.filter = filter.filter(of: runs, context)
    return try list.run(context)
  }
}
