internal import HTTP2
internal import History
package import JSONText
package import PushModel
package import Reporting
internal import SQLHistory
internal import SQLQueue
package import Settings

/// Stops a run in the queue for all workers.
package struct StopRun: Sendable, Equatable {
  package var isJSON = false
  package var settings = Settings()

  package init() {}

  /// - Throws: `Failure` when the run is not in the queue.
  package func run(_ number: RunNumber, _ context: Context) throws(Failure) -> Report {
    let location = try settings.merged(reading: [.telling], context).queueLocation(context)
    let history = try answered(HistoryReader(location))
    let entry = try history.storedRun(number).entry
    let queue = try answered(WorkQueue(at: location))
    guard let standing = try answered(queue.standing(of: number)), standing.state != .finished
    else {
      throw .notInQueue(entry)
    }
    let isNews = try answered(queue.stop(number))
    let rest = QueueRemainder(
      try history.storedRun(number).entry, now: context.clock.epochMilliseconds())
    let stopped = StoppedRun(
      run: number, left: rest, held: try answered(history.queueStanding(of: number))?.claimed ?? 0)
    return Report(parts: parts(stopped, isNews: isNews)).asJSON(isJSON)
  }

  private func parts(_ stopped: StoppedRun, isNews: Bool) -> [Report.Part] {
    let how = isNews ? "is stopped" : "was stopped before"
    let hint = ResumeHint(run: stopped.run.rawValue, history: settings.history?.value, due: nil)
    let lines = ["Run \(stopped.run) \(how): \(stopped.left.words).", stopped.underway]
    return [.lines(lines.compactMap { $0.map { StyledText($0) } }), .next(hint.command("work"))]
      + stopped.parts
  }
}

/// A stopped run, for programs.
package struct StoppedRun: JSONDescribed {
  let run: RunNumber
  let left: QueueRemainder
  /// The pushes that workers hold, some of which may be in flight.
  let held: Int

  /// What may still go out, in a sentence; nil for nothing.
  fileprivate var underway: String? {
    if held == 0 { return nil }
    let (pushes, are) = (counted(held, "push", plural: "pushes"), held == 1 ? "is" : "are")
    return
      "Of these, \(pushes) \(are) with workers: what is in flight still arrives, and they hand "
      + "the rest back within a second."
  }

  package static let fields: [OutputField<Self>] = [
    .always("run", \.run.rawValue, "The run's number in the history."),
    .always("state", { _ in "stopped" }, "What it is now.", .word(["stopped"])),
    .always("left", \.left.count, "Pushes that are left."),
    .always(
      "held", \.held, "Those of them that workers have taken: what is in flight still arrives."),
    .always("leftDeferred", \.left.deferred, "Those of them that APNs asked to send later."),
  ]
}

/// The remainder of a run in the queue, for all workers together.
struct QueueRemainder: Equatable {
  /// The number of pushes without a final result, as far as the list was read.
  let count: Int
  /// The number of these that APNs asked to send later.
  let deferred: Int
  let total: Int

  /// - Parameter now: the time in milliseconds since 1970 UTC.
  init(_ entry: RunEntry, now: Int64) {
    let tally = entry.tally
    let done = tally.total - entry.record.openOutcomes(at: now).reduce(0) { $0 + tally[$1] }
    total = max(entry.recipients.pushes, tally.total)
    (count, deferred) = (max(0, total - done), tally.deferred)
  }

  /// The remainder in words: `4,000 of 5,000 pushes are left, 12 of them deferred`.
  var words: String {
    let verb = count == 1 || total == 1 ? "is" : "are"
    let later = deferred > 0 ? ", \(grouped(deferred)) of them deferred" : ""
    return "\(grouped(count)) of \(counted(total, "push", plural: "pushes")) \(verb) left\(later)"
  }
}
