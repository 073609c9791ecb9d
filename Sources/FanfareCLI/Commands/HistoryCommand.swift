internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

/// `fanfare history`
struct HistoryCommand: Command {
  static let info = CommandInfo(
    "history", "Show what was sent and how it was answered.",
    discussion: """
      Every run of 'send' and 'run' is recorded with each push, its answer and its apns-id; keys, \
      passwords and provider tokens never are. The history is the file or the PostgreSQL database \
      (postgresql://HOST/DATABASE) given with --history or FANFARE_HISTORY, or history.sqlite in \
      the state folder (XDG_STATE_HOME/fanfare or ~/.local/state/fanfare). Only its owner can read \
      the file (mode 0600).

      Wherever a run's number is expected, 'last' is the newest run.
      """,
    subcommands: [
      HistoryListCommand.self, HistoryShowCommand.self, HistoryStatsCommand.self,
      HistoryTailCommand.self, HistoryDiffCommand.self,
      HistoryExportCommand.self, HistoryResendCommand.self, HistoryPruneCommand.self,
    ])
}

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
    list.filter = try filter.filter(of: runs, in: list.settings, context)
    return try list.run(context)
  }
}

/// `fanfare history show`
struct HistoryShowCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "show", "Show a run, or the request and the answer of a push.",
    discussion: """
      Defaults to the newest run. The history never contains the provider token. A payload that \
      was filled from a row is rebuilt from its list, unless the run kept payloads.
      """,
    examples: [
      Example("fanfare history show last", "The newest run, which is also the default."),
      Example("fanfare history show 12", "Run 12."),
      Example(
        "fanfare history show 6b1f0c52-93a7-4e1d-8d2c-000000000001",
        "A push with its request and its answer."),
    ])

  var show = HistoryShow()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Show",
        [
          .arguments(
            "run-or-id", \.show.place, help: "What to show; 'last' is the newest run.",
            completion: .runs),
          .json(help: "Print one JSON object, or only these fields of it.") { $0.show.json = $1 },
          .flag("show-tokens", \.show.showsTokens, help: "Show whole device tokens."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.show.settings)]

  func run(_ context: Context) throws -> Report { try show.run(context) }
}

/// `fanfare history diff`
struct HistoryDiffCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "diff", "Compare two pushes, or two runs.",
    discussion: """
      Compares the requests: server, header fields, and the payload member by member; then the \
      answers, or for runs the number of pushes per outcome. Of a run and a push, only the requests \
      are compared. The exit code is 0 if nothing differs, 1 if something does, and 2 if they \
      cannot be compared. Latencies are shown but do not count, since they always differ.
      """,
    examples: [
      Example("fanfare history diff 11 12", "What run 12 sent differently."),
      Example(
        "fanfare history diff 6b1f0c52-93a7-4e1d-8d2c-000000000001 "
          + "6b1f0c52-93a7-4e1d-8d2c-000000000002",
        "Why one push was rejected and the other was not."),
    ])

  var diff = HistoryDiff()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Compare",
        [
          .arguments(
            "run-or-id", \.diff.places, help: "Two of them, the older one first.",
            isRequired: true, completion: .runs),
          .flag("json", \.diff.isJSON, help: "Print one JSON object."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.diff.settings)]

  func run(_ context: Context) throws -> Report { try diff.run(context) }
}

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
    stats.filter = try filter.filter(of: runs, in: stats.settings, context)
    return try stats.run(context)
  }
}

/// `fanfare history tail`
struct HistoryTailCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "tail", "Follow runs while they are sent, by any process.",
    discussion: """
      Prints a line when a run begins, when a push gets its result, and when a run ends. Starts \
      with the last results. With a run number, exits when that run has ended (exit code 4 if it \
      has not, but no process sends it any more); otherwise at Ctrl-C.
      """,
    examples: [
      Example("fanfare history tail", "Everything that is sent from now on."),
      Example("fanfare history tail 12 --lines 0", "Run 12 until it ends."),
      Example("fanfare history tail --outcome rejected --json", "Rejections as JSON Lines."),
    ])

  var run: RunArgument?
  var filter = HistoryFilterOptions()
  var tail = HistoryTail()

  static let groups: [OptionGroup<Self>] = [
    OptionGroup<Self>(
      "Tail",
      [
        .arguments("run", \.run, help: "Follow this run until it ends.", completion: .runs),
        .option(
          "lines", \.tail.earlier, value: "N", help: "Number of earlier results to print first."),
        .flag("json", \.tail.isJSON, help: "Print one JSON object per line."),
        .flag("show-tokens", \.tail.showsTokens, help: "Show whole device tokens."),
      ]),
    OptionGroup("Which", HistoryFilterOptions.running).inside(\Self.filter),
    SettingOptions.historyPlace.inside(\Self.tail.settings),
  ]

  func run(_ context: Context) throws -> Report {
    var tail = tail
    tail.filter = try filter.filter(of: run.map { [$0] } ?? [], in: tail.settings, context)
    return try tail.run(context)
  }
}
