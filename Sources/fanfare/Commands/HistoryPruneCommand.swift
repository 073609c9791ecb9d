internal import CommandLineKit
internal import HTTP2
internal import Projects
internal import PushModel
internal import SQLiteHistory

/// `fanfare history prune`
struct HistoryPruneCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "prune", "Delete old runs and free their disk space.",
    discussion: """
      Deletes runs that match --older-than or --keep. A run that is being sent is never deleted, \
      and one that 'fanfare resume' could continue only with --unfinished. Other processes can send \
      meanwhile; then the space is kept for later runs, and the next prune frees it.
      """,
    examples: [
      Example(
        "fanfare history prune --older-than 30d", "Delete runs that ended at least 30 days ago."),
      Example(
        "fanfare history prune --keep 100 --dry-run", "See what keeping only 100 runs would delete."
      ),
    ])

  var olderThan: TimeArgument?
  var keep: ListLimit?
  var unfinished = false
  var dryRun = false
  var json = false
  var history = Settings()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Prune",
        [
          .option(
            "older-than", \.olderThan, value: "TIME",
            help: "Delete runs that ended before then: '30d' ago, a date, or an ISO 8601 time."),
          .option("keep", \.keep, value: "N", help: "Delete all but the newest N runs."),
          .flag("unfinished", \.unfinished, help: "Also delete runs that could still be resumed."),
          .flag("dry-run", \.dryRun, help: "Print what would be deleted, and delete nothing."),
          .flag("json", \.json, help: "Print one JSON object."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.history)]

  func run(_ context: Context) throws -> ExitCode {
    if olderThan == nil, keep == nil {
      throw Failure.missingOption("--older-than TIME", "--keep N")
    }
    try refuseFuture(context)
    let path = try history.usedHistoryPath(context)
    do throws(HistoryError) {
      let pruning = try HistoryPruning(path, isDryRun: dryRun)
      let plan = try pruning.plan(rule(context), now: context.clock.epochMilliseconds())
      let done =
        dryRun ? PruneReport(plan: plan) : PruneReport(report: try pruning.remove(plan))
      return context.tell(done.report, asJSON: json)
    } catch {
      throw Failure.history(error)
    }
  }

  /// All runs ended before a time to come: that is hardly meant.
  private func refuseFuture(_ context: Context) throws(Failure) {
    let now = context.clock.epochSeconds
    guard let olderThan, olderThan.milliseconds(now: now) > now * 1000 else { return }
    throw .badSetting(
      name: "--older-than", text: olderThan.argumentText,
      expected: "a time in the past; --keep 0 deletes all runs")
  }

  private func rule(_ context: Context) -> PruningRule {
    PruningRule(
      before: olderThan?.milliseconds(now: context.clock.epochSeconds), keep: keep?.count,
      takesUnfinished: unfinished)
  }
}
