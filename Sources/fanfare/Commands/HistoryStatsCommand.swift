internal import CommandLineKit
internal import History
internal import Projects
internal import PushModel

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
  var grouping = PushGroupingArgument(grouping: .run)
  var json = false
  var filter = HistoryFilterOptions()
  var history = Settings()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Figures",
        [
          .arguments("run", \.runs, help: "Count the pushes of these runs."),
          .option("by", \.grouping, value: "WHAT", help: "Group pushes by this."),
          .flag("json", \.json, help: "Print one JSON object per line, the last for all pushes."),
        ])
    ] + [
      HistoryFilterOptions.group.inside(\Self.filter),
      SettingOptions.historyPlace.inside(\Self.history),
    ]

  func run(_ context: Context) throws -> ExitCode {
    let reader = try history.openHistory(context)
    try filter.warnOfUnknownWords(in: reader, context)
    let filter = try filter.filter(of: runs, in: reader, context)
    let statistics = try reader.asking { (history) throws(HistoryError) in
      try history.statistics(filter, by: grouping.grouping)
    }
    let report = StatisticsReport(
      statistics: statistics, grouping: grouping.grouping,
      runs: try json ? runs(of: statistics, reader) : [:],
      width: !json && context.output.isTerminal ? context.output.width : nil
    ).report
    let code = context.tell(report, asJSON: json)
    if !json { try tellOpenRuns(filter, reader, context) }
    return code
  }

  /// Of runs that are not at their end the figures are not the last word.
  private func tellOpenRuns(
    _ filter: HistoryFilter, _ reader: any HistoryStore, _ context: Context
  ) throws(Failure) {
    var open: [(run: RunEntry, isBeingSent: Bool)] = []
    try reader.asking { (history) throws(HistoryError) in
      try history.forEachRun(filter) { run in
        if run.state != .finished { open.append((run, history.isBeingSent(run.run))) }
        return true
      }
    }
    context.output.write(OpenRunsText(runs: open.reversed()).text)
  }

  private func runs(
    of statistics: PushStatistics, _ reader: any HistoryStore
  ) throws(Failure) -> [RunNumber: RunEntry] {
    var runs: [RunNumber: RunEntry] = [:]
    for case .run(let number) in statistics.groups.map(\.key) {
      runs[number] = try reader.storedRun(number).entry
    }
    return runs
  }
}

/// What pushes are put together by, on the command line.
struct PushGroupingArgument: ArgumentValue, Equatable {
  let grouping: PushGrouping

  init(grouping: PushGrouping) { self.grouping = grouping }

  init(argument word: String) throws(BadValue) {
    guard let grouping = PushGrouping(rawValue: word) else { throw .notAChoice }
    self.grouping = grouping
  }

  var argumentText: String { grouping.rawValue }

  static var choices: [String] { PushGrouping.allCases.map(\.rawValue) }
}
