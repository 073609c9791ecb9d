internal import SQLiteHistory

/// What was deleted from the history, or would be: 'history prune'.
struct PruneReport {
  private let runs: Int
  private let pushes: Int
  private let unfinished: Int
  private let beingSent: Int
  /// Nil when nothing was done.
  private let space: PruningReport.Space?
  private let bytes: Int?

  /// What would be deleted.
  init(plan: PruningPlan) {
    (runs, pushes) = (plan.runs.count, plan.pushes)
    (unfinished, beingSent) = (plan.unfinished.count, plan.beingSent.count)
    (space, bytes) = (nil, nil)
  }

  /// What was deleted.
  init(report: PruningReport) {
    (runs, pushes) = (report.runs, report.pushes)
    (unfinished, beingSent) = (report.unfinished.count, report.beingSent.count)
    (space, bytes) = (report.space, report.bytes)
  }

  var report: Report {
    Report(parts: [
      .json("dryRun", .flag(space == nil)), .json("runs", .number(runs)),
      .json("pushes", .number(pushes)), .json("bytes", .number(bytes)),
      .json("keptUnfinished", .number(unfinished)), .json("keptBeingSent", .number(beingSent)),
      .json("space", .text(space?.rawValue)), .lines([what] + kept + rest),
    ])
  }

  private var what: StyledText {
    let what = "\(counted(runs, "run")) with \(counted(pushes, "push", plural: "pushes"))"
    guard let bytes else { return "Would delete \(what)." }
    return "Deleted \(what); \(counted(bytes, "byte")) freed."
  }

  private var kept: [StyledText] {
    var lines: [StyledText] = []
    if unfinished > 0 {
      let them = unfinished == 1 ? "it" : "them"
      lines.append(
        "Kept \(counted(unfinished, "run")) that could still be resumed; --unfinished deletes \(them)."
      )
    }
    if beingSent > 0 {
      let verb = beingSent == 1 ? "is" : "are"
      lines.append("Kept \(counted(beingSent, "run")) that \(verb) being sent.")
    }
    return lines
  }

  private var rest: [StyledText] {
    let later = "The space is kept for later runs; prune again to free it."
    return switch space {
    case .givenBack, nil: []
    case .inUse: ["Other processes are using the history. \(later)"]
    case .noRoom: ["The disk has no room to rebuild the file. \(later)"]
    }
  }
}
