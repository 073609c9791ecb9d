internal import APNS
internal import Delivery
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting

/// What came of putting a run into the queue: the members of `send --enqueue --json`, stable, documented
/// in docs/formats.md.
struct EnqueuingReport {
  let run: RunNumber
  let environment: String
  /// The history that has to be named; nil for the one that is used anyway.
  let history: String?
  /// Whether all its lists can be read again.
  let canBeResumed: Bool
  /// Pushes in the queue.
  var enqueued = 0
  var counts = RecipientCounts()
  /// Why the lists were not read to their end; nil when they were.
  var cause: StopCause?
  /// How the process ends when a signal was the cause.
  var signal: ExitCode?

  var parts: [Report.Part] {
    [
      .lines([StyledText(sentence)]), .json("run", .number(run.rawValue)),
      .json("environment", .text(environment)),
      .json("state", .text((cause == nil ? RunState.enqueued : .enqueuing).rawValue)),
      .json("enqueued", .number(enqueued)), .json("lines", .number(counts.lines)),
    ] + counts.skipped
  }

  /// `Run 12: 300,000 pushes are enqueued; 'fanfare work' sends them.`
  private var sentence: String { "Run \(run): \(state)\(next.map { "; \($0)" } ?? "")." }

  private var state: String {
    let verb = enqueued == 1 ? "is" : "are"
    let done = "\(counted(enqueued, "push", plural: "pushes")) \(verb) enqueued"
    return cause == nil ? done : "\(done), and the lists were not read to their end"
  }

  /// What to do now; nil when nothing can be done about this run.
  private var next: String? {
    let place = history.map { " --history \(shellWord($0))" } ?? ""
    if cause != nil {
      return canBeResumed ? "'fanfare resume \(run)\(place)' goes on" : nil
    }
    return enqueued == 0 ? nil : "'fanfare work\(place)' sends \(enqueued == 1 ? "it" : "them")"
  }

  /// What is told on standard error where nothing else is; nil when all went well.
  var complaint: Report.Part? {
    if exitCode == .success { return nil }
    let lines = counts.badLines > 0 ? "\(counted(counts.badLines, "bad line")); " : ""
    return .lines(["fanfare: \("error:", .bad) \(lines)\(sentence)"])
  }

  /// How the process ends.
  var exitCode: ExitCode {
    if let signal { return signal }
    let isBad = counts.badLines > 0
    switch cause {
    case nil: return isBad ? .failure : .success
    case .list: return enqueued == 0 ? .usage : .unfinished
    default: return .merged([.unfinished, isBad ? .failure : .success])
    }
  }
}
