internal import APNS
package import History
package import PushModel
package import Reporting
package import SQLHistory

/// The family of a run: runs that resend its pushes, and those whose pushes it resends itself, with
/// their results since it began.
struct RelatedRuns {
  /// The other runs that may have results newer than the run, oldest first.
  let members: [RunEntry]

  private let run: RunEntry
  private let history: HistoryReader
  /// The runs whose results count, by number, including the run itself.
  private let counted: [RunNumber: RunEntry]

  /// - Throws: `Failure.beingResent` while a process sends one of them.
  init(of run: RunEntry, in history: HistoryReader) throws(Failure) {
    self.run = run
    self.history = history
    let others = try answered(history.family(of: run.run)).filter { $0.run != run.run }
    for other in others where other.reachesDevices(besides: run) {
      try history.refuseWhileSent(other.run, of: run.run)
    }
    members = others.filter { $0.run > run.run || $0.ended ?? .max >= run.record.started }
    let counting = [run] + members.filter { $0.reachesDevices(besides: run) }
    counted = Dictionary(uniqueKeysWithValues: counting.map { ($0.run, $0) })
  }

  /// The runs that resend the run, directly or through another resend.
  var resends: [RunEntry] {
    var found: Set<RunNumber> = [run.run]
    return members.filter { member in
      guard let resent = member.record.resends, found.contains(resent) else { return false }
      found.insert(member.run)
      return true
    }
  }

  /// The results of a push in the other runs, oldest run first, and its own if a killed pass may
  /// have sent it.
  func results(of sequence: UInt64) throws(HistoryError) -> [RelatedResult] {
    if counted.count == 1, run.ended != nil { return [] }
    return try history.relatedResults(of: run.run, sequence: sequence).filter { result in
      counted[result.run] != nil && (result.run > run.run || result.at >= run.record.started)
    }
  }

  /// The reason a push with these results need not be sent again, and the run that sent it; nil
  /// when it may be sent.
  ///
  /// - Parameter isAtMostOnce: whether a push that may have arrived must not be sent again, even if
  ///   the run that sent it allowed that.
  func reason(
    toLeaveOut results: [RelatedResult], isAtMostOnce: Bool = false
  ) -> (reason: ResendChoice.LeftOut, by: RunNumber)? {
    if let other = results.first(where: { $0.outcome == .accepted }) {
      return (.accepted, other.run)
    }
    let other = results.first {
      $0.outcome == .unknown && (isAtMostOnce || counted[$0.run]?.record.atMostOnce == true)
    }
    return other.map { (.inDoubt, $0.run) }
  }
}

extension RunEntry {
  /// True unless the run went to an emulator, which reaches no device.
  fileprivate func reachesDevices(besides run: RunEntry) -> Bool {
    let emulators = [PushEnvironment.emulator.name, PushEnvironment.inboxName]
    return !emulators.contains(record.environment) || emulators.contains(run.record.environment)
  }
}

extension HistoryReader {
  /// - Throws: `Failure.beingResent` while a process sends the other run.
  fileprivate func refuseWhileSent(
    _ other: RunNumber, of run: RunNumber
  ) throws(Failure) {
    guard isBeingSent(other) else { return }
    do throws(HistoryError) {
      _ = try hold(other)
    } catch .owned(_, let pid, _) {
      throw .beingResent(run, by: other, pid: pid)
    } catch .inQueue {
      throw .beingResent(run, by: other, pid: nil)
    } catch {
      throw .history(error)
    }
  }
}

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

  /// Other remaining pushes have a result, so that a resend includes them.
  package private(set) var canBeResent = false

  package var isEmpty: Bool { accepted.isEmpty && inDoubt.isEmpty }

  /// Resuming the run would send something that no other run has sent.
  package var leavesSome: Bool { isEmpty || !isAll }

  /// - Parameter now: the time in milliseconds since 1970 UTC.
  /// - Throws: `Failure.beingResent` while a process sends the run's pushes in another run.
  package init(of entry: RunEntry, in history: HistoryReader, now: Int64) throws(Failure) {
    run = entry.run
    let isUnfinishedResend = entry.state != .finished && entry.record.resends != nil
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
        if sent == nil { canBeResent = true }
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
    if !canBeResent { return "\(force) sends those again, and the pushes without a result." }
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
  of entry: RunEntry, in history: HistoryReader, now: Int64,
  _ body: (UInt64) throws(HistoryError) -> Void
) throws(HistoryError) {
  var filter = HistoryFilter()
  filter.runs = [entry.run]
  filter.outcomes = Set(Outcome.allCases.filter { entry.sends($0, at: now) })
  if filter.outcomes.isEmpty { return }
  filter.outcomes.insert(.rejected)
  try history.forEachPush(filter, newestFirst: false) { (push) throws(HistoryError) in
    if entry.sends(push, at: now) { try body(push.sequence) }
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
