internal import APNS
package import History
internal import PlainText
package import PushModel
package import Reporting
internal import Runs

/// The remaining pushes of a run that another run has since got accepted, or that may have arrived
/// with it: resuming would send them again.
package struct SentElsewhere: Sendable {
  let run: RunNumber
  /// Nothing else is left of the run.
  package private(set) var isAll: Bool
  /// The run has pushes without a result, about which nothing is known.
  let isOpen: Bool
  /// The run to resend for the other remaining pushes.
  package let source: RunNumber
  /// The number of pushes accepted in each run.
  private(set) var accepted: [RunNumber: Int] = [:]
  /// The number of pushes that may have arrived with each run that sent at most once.
  private(set) var inDoubt: [RunNumber: Int] = [:]

  /// The other remaining pushes that may have arrived with a run that was killed or not answered.
  private(set) var mayArriveTwice = PushRanges()

  package var isEmpty: Bool { accepted.isEmpty && inDoubt.isEmpty }

  /// - Parameter now: the time in milliseconds since 1970 UTC.
  /// - Throws: `Failure.beingResent` while a process sends the run's pushes in another run.
  package init(of entry: RunEntry, in history: any HistoryStore, now: Int64) throws(Failure) {
    run = entry.run
    let isUnfinishedResend = entry.state != .finished && entry.record.resent != nil
    isOpen = entry.state != .finished && !isUnfinishedResend
    source = isUnfinishedResend ? entry.record.resends ?? entry.run : entry.run
    isAll = !isOpen
    let others = try RelatedRuns(of: entry, in: history)
    if others.members.isEmpty { return }
    try answered(
      forEachOpenPush(of: entry, in: history, now: now) { (push) throws(HistoryError) in
        // Resuming the run itself handles what its own passes left in doubt.
        let results = try others.results(of: push).filter { $0.run != run }
        let sent = others.reason(toLeaveOut: results, isAtMostOnce: entry.record.atMostOnce)
        add(sent)
        if sent == nil, results.contains(where: { $0.outcome == .unknown }) {
          mayArriveTwice.add(push)
        }
      })
  }

  private mutating func add(_ sent: (reason: ResendChoice.LeftOut, by: RunNumber)?) {
    switch sent {
    case nil: isAll = false
    case (.inDoubt, let other)?: inDoubt[other, default: 0] += 1
    case (_, let other)?: accepted[other, default: 0] += 1
    }
  }
}

extension SentElsewhere {
  /// The end of a sentence: the results of the remaining pushes.
  var counts: String {
    let arrived = sorted(accepted).map { run, count in
      "\(grouped(count)) \(count == 1 ? "was" : "were") accepted by run \(run)"
    }
    let doubtful = sorted(inDoubt).map { run, count in
      "\(grouped(count)) may have arrived with run \(run)"
    }
    return (arrived + doubtful).joined(separator: ", ")
  }

  /// The fix.
  var fix: String {
    let force = "'fanfare resume \(run) --force'"
    if isAll { return "Nothing else is left of it. \(force) sends those again." }
    let resend =
      "'fanfare history resend \(source)' leaves these out; \(force) sends them again."
    return isOpen ? resend + " Only the latter sends pushes without a result." : resend
  }

  private func sorted(_ counts: [RunNumber: Int]) -> [(key: RunNumber, value: Int)] {
    counts.sorted { $0.key < $1.key }
  }
}

/// Passes the numbers of pushes that resuming a run would send, as far as they are known, to
/// `body`: those with a result that is not final, and those of a resend without one.
private func forEachOpenPush(
  of entry: RunEntry, in history: any HistoryStore, now: Int64,
  _ body: (UInt64) throws(HistoryError) -> Void
) throws(HistoryError) {
  var filter = HistoryFilter()
  filter.runs = [entry.run]
  filter.outcomes = Set(Outcome.allCases.filter { entry.sends($0, at: now) })
  if filter.outcomes.isEmpty { return }
  try history.forEachPush(filter, newestFirst: false) { (push) throws(HistoryError) in
    try body(push.sequence)
    return true
  }
  try history.forEachWithoutResult(of: entry.run) { (sequence) throws(HistoryError) in
    // Claimed pushes of a run that sends at most once are not sent again.
    if entry.record.atMostOnce, sequence <= UInt64(entry.claimed) { return }
    try body(sequence)
  }
}

extension Failure {
  /// Remaining pushes of a run have since been accepted in another run.
  static func sentSince(_ since: SentElsewhere) -> Failure {
    Failure(
      "Of what is left of run \(since.run), \(since.counts): nothing was sent.", fix: since.fix)
  }
}
