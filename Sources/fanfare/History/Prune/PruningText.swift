internal import JSONText
internal import SQLiteHistory

/// What was removed from the history, or would be.
struct PruningText {
  private let runs: Int
  private let pushes: Int
  private let unfinished: Int
  private let beingSent: Int
  /// Nil when nothing was done.
  private let space: PruningReport.Space?
  private let bytes: Int?

  /// What would be removed.
  init(plan: PruningPlan) {
    (runs, pushes) = (plan.runs.count, plan.pushes)
    (unfinished, beingSent) = (plan.unfinished.count, plan.beingSent.count)
    (space, bytes) = (nil, nil)
  }

  /// What was removed.
  init(report: PruningReport) {
    (runs, pushes) = (report.runs, report.pushes)
    (unfinished, beingSent) = (report.unfinished.count, report.beingSent.count)
    (space, bytes) = (report.space, report.bytes)
  }

  /// The sentences, each on a line.
  var text: String {
    let what = "\(counted(runs, "run")) with \(counted(pushes, "push", plural: "pushes"))"
    let first = bytes.map { "Deleted \(what); \(counted($0, "byte")) freed." }
    return ([first ?? "Would delete \(what)."] + kept + spaceSentences)
      .map { $0 + "\n" }.joined()
  }

  private var kept: [String] {
    var lines: [String] = []
    if unfinished > 0 {
      lines.append(
        "Kept \(counted(unfinished, "run")) that could still be resumed; --unfinished deletes "
          + "\(unfinished == 1 ? "it" : "them").")
    }
    if beingSent > 0 {
      let verb = beingSent == 1 ? "is" : "are"
      lines.append("Kept \(counted(beingSent, "run")) that \(verb) being sent.")
    }
    return lines
  }

  private var spaceSentences: [String] {
    let later = "The space is kept for later runs; prune again to free it."
    return switch space {
    case .givenBack, nil: []
    case .inUse: ["Other processes are using the history. \(later)"]
    case .noRoom: ["The disk has no room to rebuild the file. \(later)"]
    }
  }

  /// A JSON object as a line: stable, documented in docs/formats.md.
  var line: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("dryRun", space == nil)
    json.member("runs", runs)
    json.member("pushes", pushes)
    json.member("bytes", bytes)
    json.member("keptUnfinished", unfinished)
    json.member("keptBeingSent", beingSent)
    json.member("space", space?.rawValue)
    json.endObject()
    json.endLine()
    return json.bytes
  }
}
