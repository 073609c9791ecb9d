internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

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
    tail.filter = filter.filter(of: run.map { [$0] } ?? [], context)
    return try tail.run(context)
  }
}
