/// What is left to do of a run, as it was when it was resumed.
public struct ResumePlan: Sendable, Hashable {
  /// The run.
  public let run: RunNumber

  /// What was kept of it.
  public let record: RunRecord

  /// The results so far.
  public let tally: OutcomeTally

  /// What became of the lists' lines, as far as any pass has read them.
  public let recipients: RecipientReader.Counts

  /// Pushes up to this one were claimed.
  public let claimed: UInt64

  /// The number of the last push; nil when the lists were not read to their end.
  public let last: UInt64?

  /// How many pushes were claimed and have no result. When the lists were not read to their end this
  /// may count pushes that there are not.
  public let claimedWithoutResult: Int

  /// How many deferred pushes are due.
  public let deferredDue: Int

  /// When the next of the others is due, in milliseconds since 1970 UTC; nil when there is none.
  public let nextDue: Int64?

  /// When the first of all deferred pushes is or was due, in milliseconds since 1970 UTC; nil when
  /// there is none.
  let firstDue: Int64?

  /// Whether pushes that are `unknown` are sent again; otherwise that is the last word on them.
  public let resendsUnknown: Bool

  /// The pushes that the last pass may have sent again before it was killed, and how many they are.
  let claimedAgain: ClaimedAgain
  let claimedAgainCount: Int

  /// Whether it ended with a result for each push.
  let wasFinished: Bool

  /// Deferred pushes that are due by then go; with `--now` all do.
  let horizon: Int64
  let path: String
  let busyMilliseconds: Int

  /// How many pushes can be sent now, beside those that were never read.
  public var ready: Int {
    let again = resendsUnknown ? tally.unknown : 0
    return deferredDue + tally.notAttempted + again + claimedWithoutResult
  }

  /// How many pushes this pass has to bring to an end; nil when nothing tells.
  ///
  /// - Parameter pushes: how many pushes the lists have, as far as that is known by now.
  func left(of pushes: PushTotal?) -> PushTotal? {
    if let last {
      return PushTotal(count: ready + Int(max(last, claimed) - claimed), isExact: true)
    }
    // What was claimed ahead may be more than there is: then the rest is negative.
    return pushes.map {
      PushTotal(count: max(0, ready + $0.count - Int(claimed)), isExact: $0.isExact)
    }
  }

  /// What to do with a push that stands so.
  public func step(for standing: Standing) -> ResumeStep {
    switch standing {
    case .done: .leave
    case .deferred(let due): due <= horizon ? .send : .leave
    case .unknown: .sendInDoubt
    case .notAttempted, .unclaimed: .send
    case .claimed: record.atMostOnce ? .recordUnknown : .sendInDoubt
    }
  }

  /// What to do with a push that stands so, at a time in milliseconds since 1970 UTC: what has
  /// expired is not sent any more.
  func step(for standing: Standing, now: Int64) -> ResumeStep {
    let step = step(for: standing)
    guard record.hasExpired(at: now) else { return step }
    return switch step {
    case .send: .recordExpired
    // What is recorded as unknown already has its last word.
    case .sendInDoubt: standing == .unknown ? .leave : .recordUnknown
    case .leave, .recordUnknown, .recordExpired: step
    }
  }

  /// A cursor for the thread that reads the lists again. It has a connection of its own.
  public func standings() throws(HistoryError) -> sending StandingCursor {
    try StandingCursor(self)
  }

  /// How many pushes are in doubt: claimed by a pass and without a result of it, or `unknown` and to
  /// be sent again.
  public var inDoubt: Int {
    claimedWithoutResult + (resendsUnknown ? tally.unknown : claimedAgainCount)
  }

  /// Goes through the pushes that are in doubt, as ranges of sequence numbers in order. Memory does
  /// not grow with their number.
  ///
  /// It tells what is so now: results that are recorded meanwhile count.
  public func forEachInDoubt(
    _ body: (ClosedRange<UInt64>) -> Void
  ) throws(HistoryError) {
    var rows = try ResultCursor(self)
    let end = min(claimed, last ?? claimed)
    var next: UInt64 = 1
    while next <= end {
      let found = try nextSettled(&rows) ?? end + 1
      if found > next { body(next...min(found - 1, end)) }
      next = found + 1
    }
  }

  private func nextSettled(_ rows: inout ResultCursor) throws(HistoryError) -> UInt64? {
    while let row = try rows.next() {
      let isInDoubt = row.outcome == .unknown && resendsUnknown || row.wasClaimedAgain
      if !isInDoubt { return row.sequence }
    }
    return nil
  }
}
