internal import HTTP2
package import JSONText
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
    return try answered(pruned(path, before?.time, context)).report.asJSON(isJSON)
  }

  /// The runs deleted, or to delete. A dry run has no report on the file's space.
  private func pruned(
    _ path: String, _ before: Int64?, _ context: Context
  ) throws(HistoryError) -> PruningResult {
    let pruning = try HistoryPruning(path, isDryRun: isDryRun)
    let rule = PruningRule(before: before, keep: keep?.count, takesUnfinished: takesUnfinished)
    let plan = try pruning.plan(rule, now: context.clock.epochMilliseconds())
    var runs = PruningResult(plan: plan, done: nil, isFile: pruning.isFile)
    if isDryRun { return runs }
    if runs.isFile {
      runs.done = try pruning.remove(plan)
      return runs
    }
    let history = try HistoryReader(path)
    let copies = try ListCopies.kept(of: plan.runs, in: history, context)
    runs.done = try pruning.remove(plan)
    try ListCopies.removeOrphans(among: copies, in: history)
    return runs
  }
}

/// The runs that were deleted, or would be.
package struct PruningResult: JSONDescribed {
  let plan: PruningPlan
  /// Nil for a dry run.
  var done: PruningReport?
  /// The history has its own space; a database's belongs to the server.
  let isFile: Bool

  package static let fields: [OutputField<Self>] = [
    .always("dryRun", { $0.done == nil }, "Whether nothing was removed."),
    .always("runs", \.runs, "Runs that were removed."),
    .always("pushes", \.pushes, "Pushes that were removed."),
    .always("bytes", \.file?.bytes, "By how much the history shrank."),
    .always("keptUnfinished", \.unfinished, "Runs kept because they can be resumed."),
    .always("keptBeingSent", \.beingSent, "Runs kept because they are being sent."),
    .always(
      "space", \.file?.space.rawValue, "What became of the space.",
      .orNull(.word(["givenBack", "inUse", "noRoom"]))),
  ]

  private var runs: Int { done?.runs ?? plan.runs.count }
  private var pushes: Int { done?.pushes ?? plan.pushes }
  private var unfinished: Int { (done?.unfinished ?? plan.unfinished).count }
  private var beingSent: Int { (done?.beingSent ?? plan.beingSent).count }
  private var file: PruningReport? { isFile ? done : nil }

  var report: Report {
    let what = "\(counted(runs, "run")) with \(counted(pushes, "push", plural: "pushes"))"
    let space = file.map { "\(counted($0.bytes, "byte")) freed" } ?? "PostgreSQL reuses their space"
    let head: StyledText = done == nil ? "Would delete \(what)." : "Deleted \(what); \(space)."
    return Report(parts: parts + ([head] + kept + rest).map { .paragraph($0) })
  }

  private var kept: [StyledText] {
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

  private var rest: [StyledText] {
    let later = "The space is kept for later runs; prune again to free it."
    return switch file?.space {
    case .givenBack, nil: []
    case .inUse: ["Other processes are using the history. \(later)"]
    case .noRoom: ["The disk has no room to rebuild the file. \(later)"]
    }
  }
}
