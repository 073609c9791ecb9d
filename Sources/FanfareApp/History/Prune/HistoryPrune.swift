internal import HTTP2
package import Projects
internal import PushModel
internal import SQLiteHistory

/// Deletes old runs.
package struct HistoryPrune: Sendable, Equatable {
  /// How many of the newest runs are kept; nil for all that are not older.
  package var keep: ListLimit?
  package var takesUnfinished = false
  package var isDryRun = false
  package var isJSON = false
  package var settings = Settings()

  package init() {}

  /// - Parameter before: when a run has to have ended, in milliseconds since 1970, and as it was
  ///   written; nil for any time.
  package func run(
    before: (time: Int64, text: String)?, _ context: Context
  ) throws(Failure) -> ExitCode {
    if before == nil, keep == nil { throw .missingOption("--older-than TIME", "--keep N") }
    // Every run ended before a time to come, which can hardly be meant.
    if let before, before.time > context.now * 1000 {
      throw .badSetting(
        name: "--older-than", text: before.text,
        expected: "a time in the past; --keep 0 deletes all runs")
    }
    let path = try settings.usedHistoryPath(context)
    let (plan, done) = try answered(
      pruned(path, before?.time, now: context.clock.epochMilliseconds()))
    return context.tell(Self.report(plan, done), asJSON: isJSON)
  }

  /// What was deleted, or would be: then nothing is said of the file's space.
  private func pruned(
    _ path: String, _ before: Int64?, now: Int64
  ) throws(HistoryError) -> (PruningPlan, PruningReport?) {
    let pruning = try HistoryPruning(path, isDryRun: isDryRun)
    let rule = PruningRule(before: before, keep: keep?.count, takesUnfinished: takesUnfinished)
    let plan = try pruning.plan(rule, now: now)
    return (plan, isDryRun ? nil : try pruning.remove(plan))
  }

  private static func report(_ plan: PruningPlan, _ done: PruningReport?) -> Report {
    let runs = done?.runs ?? plan.runs.count
    let pushes = done?.pushes ?? plan.pushes
    let unfinished = (done?.unfinished ?? plan.unfinished).count
    let beingSent = (done?.beingSent ?? plan.beingSent).count
    let what = "\(counted(runs, "run")) with \(counted(pushes, "push", plural: "pushes"))"
    let head: StyledText =
      done.map { "Deleted \(what); \(counted($0.bytes, "byte")) freed." } ?? "Would delete \(what)."
    return Report(parts: [
      .json("dryRun", .flag(done == nil)), .json("runs", .number(runs)),
      .json("pushes", .number(pushes)), .json("bytes", .number(done?.bytes)),
      .json("keptUnfinished", .number(unfinished)), .json("keptBeingSent", .number(beingSent)),
      .json("space", .text(done?.space.rawValue)),
      .lines([head] + kept(unfinished: unfinished, beingSent: beingSent) + rest(done?.space)),
    ])
  }

  private static func kept(unfinished: Int, beingSent: Int) -> [StyledText] {
    let them = unfinished == 1 ? "it" : "them"
    let verb = beingSent == 1 ? "is" : "are"
    let lines: [(Int, StyledText)] = [
      (
        unfinished,
        "Kept \(counted(unfinished, "run")) that could still be resumed; --unfinished deletes \(them)."
      ), (beingSent, "Kept \(counted(beingSent, "run")) that \(verb) being sent."),
    ]
    return lines.filter { $0.0 > 0 }.map(\.1)
  }

  private static func rest(_ space: PruningReport.Space?) -> [StyledText] {
    let later = "The space is kept for later runs; prune again to free it."
    return switch space {
    case .givenBack, nil: []
    case .inUse: ["Other processes are using the history. \(later)"]
    case .noRoom: ["The disk has no room to rebuild the file. \(later)"]
    }
  }
}
