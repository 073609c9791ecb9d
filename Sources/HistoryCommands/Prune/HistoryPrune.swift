internal import HTTP2
internal import PushModel
package import Reporting
internal import Runs
internal import SQLHistory
package import Settings

/// Deletes old runs.
package struct HistoryPrune: Sendable, Equatable {
  /// The number of newest runs to keep; nil for no limit.
  package var keep: ListLimit?
  package var takesUnfinished = false
  package var isDryRun = false
  package var isJSON = false
  package var settings = Settings()

  package init() {}

  /// - Parameter before: the time before which a run has to have ended, in milliseconds since 1970,
  ///   and its original text; nil for any time.
  package func run(
    before: (time: Int64, text: String)?, _ context: Context
  ) throws(Failure) -> Report {
    if before == nil, keep == nil { throw .missingOption("--older-than TIME", "--keep N") }
    // Every run ended before a future time, which is hardly what was meant.
    if let before, before.time > context.now * 1000 {
      throw .badSetting(
        name: "--older-than", text: before.text,
        expected: "a time in the past; --keep 0 deletes all runs")
    }
    let path = try settings.usedHistoryPath(context)
    let (plan, done) = try answered(pruned(path, before?.time, context))
    let isFile = HistoryLocation(path).isPath
    return Self.report(plan, done, isFile: isFile).asJSON(isJSON)
  }

  /// The runs deleted, or to delete. A dry run has no report on the file's space.
  private func pruned(
    _ path: String, _ before: Int64?, _ context: Context
  ) throws(HistoryError) -> (PruningPlan, PruningReport?) {
    let pruning = try HistoryPruning(path, isDryRun: isDryRun)
    let rule = PruningRule(before: before, keep: keep?.count, takesUnfinished: takesUnfinished)
    let plan = try pruning.plan(rule, now: context.clock.epochMilliseconds())
    if isDryRun { return (plan, nil) }
    if HistoryLocation(path).isPath { return (plan, try pruning.remove(plan)) }
    let history = try HistoryReader(path)
    let copies = try ListCopies.kept(of: plan.runs, in: history, context)
    let done = try pruning.remove(plan)
    try ListCopies.removeOrphans(among: copies, in: history)
    return (plan, done)
  }

  /// - Parameter isFile: true if the history has its own space; a database's belongs to the server.
  private static func report(
    _ plan: PruningPlan, _ done: PruningReport?, isFile: Bool
  ) -> Report {
    let runs = done?.runs ?? plan.runs.count
    let pushes = done?.pushes ?? plan.pushes
    let unfinished = (done?.unfinished ?? plan.unfinished).count
    let beingSent = (done?.beingSent ?? plan.beingSent).count
    let what = "\(counted(runs, "run")) with \(counted(pushes, "push", plural: "pushes"))"
    let file = isFile ? done : nil
    let space = file.map { "\(counted($0.bytes, "byte")) freed" } ?? "PostgreSQL reuses their space"
    let head: StyledText = done == nil ? "Would delete \(what)." : "Deleted \(what); \(space)."
    return Report(parts: [
      .json("dryRun", .flag(done == nil)), .json("runs", .number(runs)),
      .json("pushes", .number(pushes)), .json("bytes", .number(file?.bytes)),
      .json("keptUnfinished", .number(unfinished)), .json("keptBeingSent", .number(beingSent)),
      .json("space", .text(file?.space.rawValue)),
      .lines([head] + kept(unfinished: unfinished, beingSent: beingSent) + rest(file?.space)),
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
