internal import CommandLineKit
internal import HTTP2
internal import PushModel
internal import SQLiteHistory

/// `fanfare history prune`
struct HistoryPrune: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "prune", "Remove old runs from the history, and give their space back.",
    discussion: """
      A run goes when --older-than or --keep says so. A run that is being sent never goes, and one \
      that 'fanfare resume' could go on with only with --unfinished. Others may send meanwhile; \
      then the space is kept for what comes next, and another prune gives it back.
      """,
    examples: [
      Example("fanfare history prune --older-than 30d", "Runs that ended a month ago or earlier."),
      Example("fanfare history prune --keep 100 --dry-run", "What keeping a hundred runs means."),
    ])

  var olderThan: TimeArgument?
  var keep: ListLimit?
  var unfinished = false
  var dryRun = false
  var json = false
  var history = HistoryOptions()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Prune",
        [
          .option(
            "older-than", \.olderThan, value: "TIME",
            help: "Runs that ended before that: '30d' ago, a date, or an ISO 8601 time."),
          .option("keep", \.keep, value: "N", help: "All runs but the newest N."),
          .flag("unfinished", \.unfinished, help: "Also runs that could still be resumed."),
          .flag("dry-run", \.dryRun, help: "Say what would go, and remove nothing."),
          .flag("json", \.json, help: "Print one JSON object."),
        ])
    ] + [HistoryOptions.group.inside(\Self.history)]

  func run(_ context: Context) throws -> ExitCode {
    if olderThan == nil, keep == nil {
      throw Failure.usage(.missingOneOf(["--older-than TIME", "--keep N"]))
    }
    try refuseFuture(context)
    let path = try history.path(context)
    do throws(HistoryError) {
      let pruning = try HistoryPruning(path, isDryRun: dryRun)
      let plan = try pruning.plan(rule(context), now: context.clock.epochMilliseconds())
      let told =
        dryRun ? PruningText(plan: plan) : PruningText(report: try pruning.remove(plan))
      context.output.write(json ? told.line : Array(told.text.utf8))
    } catch {
      throw Failure.history(error)
    }
    return .success
  }

  /// All runs ended before a time to come: that is hardly meant.
  private func refuseFuture(_ context: Context) throws(Failure) {
    let now = context.clock.epochSeconds
    guard let olderThan, olderThan.milliseconds(now: now) > now * 1000 else { return }
    throw .badSetting(
      name: "--older-than", text: olderThan.argumentText,
      expected: "a time that has passed; --keep 0 is for all runs")
  }

  private func rule(_ context: Context) -> PruningRule {
    PruningRule(
      before: olderThan?.milliseconds(now: context.clock.epochSeconds), keep: keep?.count,
      takesUnfinished: unfinished)
  }
}
