/// What is left to do of a run, as it was when it was resumed.
public struct ResumePlan: Sendable, Hashable {
  /// The run.
  public let run: RunNumber

  /// What was kept of it.
  public let record: RunRecord

  /// The results so far.
  public let tally: OutcomeTally

  /// What became of the lists' lines, as far as any pass has read them.
  public let recipients: RecipientCounts

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
  public let firstDue: Int64?

  /// Whether pushes that are `unknown` are sent again; otherwise that is the last word on them.
  public let resendsUnknown: Bool

  /// How many pushes the last pass may have sent again before it was killed.
  public let claimedAgain: Int

  /// Whether it ended with a result for each push.
  public let wasFinished: Bool

  /// Deferred pushes that are due by then are sent; with `--now` all are.
  public let horizon: Int64

  /// What a ledger found.
  public init(
    run: RunNumber, record: RunRecord, tally: OutcomeTally, recipients: RecipientCounts,
    claimed: UInt64, last: UInt64?, claimedWithoutResult: Int, deferredDue: Int, nextDue: Int64?,
    firstDue: Int64?, resendsUnknown: Bool, claimedAgain: Int, wasFinished: Bool, horizon: Int64
  ) {
    self.run = run
    self.record = record
    self.tally = tally
    self.recipients = recipients
    self.claimed = claimed
    self.last = last
    self.claimedWithoutResult = claimedWithoutResult
    self.deferredDue = deferredDue
    self.nextDue = nextDue
    self.firstDue = firstDue
    self.resendsUnknown = resendsUnknown
    self.claimedAgain = claimedAgain
    self.wasFinished = wasFinished
    self.horizon = horizon
  }

  /// How many pushes can be sent now, beside those that were never read.
  public var ready: Int {
    let again = resendsUnknown ? tally.unknown : 0
    return deferredDue + tally.notAttempted + again + claimedWithoutResult
  }

  /// How many pushes this pass has to finish; nil when unknown.
  ///
  /// - Parameter pushes: how many pushes the lists have, as far as that is known by now.
  public func left(of pushes: PushTotal?) -> PushTotal? {
    if let last {
      return PushTotal(count: ready + Int(max(last, claimed) - claimed), isExact: true)
    }
    // What was claimed ahead may be more than there is: then the rest is negative.
    return pushes.map {
      PushTotal(count: max(0, ready + $0.count - Int(claimed)), isExact: $0.isExact)
    }
  }

  /// What to do with a push of this standing.
  public func step(for standing: Standing) -> ResumeStep {
    record.step(for: standing, horizon: horizon)
  }

  /// What to do with a push of this standing, at a time in milliseconds since 1970 UTC: what has
  /// expired is not sent any more.
  public func step(for standing: Standing, now: Int64) -> ResumeStep {
    record.step(for: standing, horizon: horizon, now: now)
  }

  /// How many pushes are in doubt: claimed by a pass and without a result of it, or `unknown` and to
  /// be sent again.
  public var inDoubt: Int {
    claimedWithoutResult + (resendsUnknown ? tally.unknown : claimedAgain)
  }
}
