/// The rest of a run, as of the time it was resumed.
public struct ResumePlan: Sendable, Hashable {
  /// The run.
  public let run: RunNumber

  /// The record of the run.
  public let record: RunRecord

  /// The results so far.
  public let tally: OutcomeTally

  /// The counts of the lists' lines, as far as any pass has read them.
  public let recipients: RecipientCounts

  /// The highest push number that was claimed.
  public let claimed: UInt64

  /// The number of the last push; nil when the lists were not read to their end.
  public let last: UInt64?

  /// The number of claimed pushes without a result. If the lists were not read to their end, this
  /// may include pushes that do not exist.
  public let claimedWithoutResult: Int

  /// The number of these, and of others in doubt, whose answer was noted without a committed result.
  public let answered: Int

  /// Notes of the last pass are there: of the pushes in doubt, none was answered long enough before
  /// its end to be noted.
  public let hasNotes: Bool

  /// The number of deferred pushes that are due.
  public let deferredDue: Int

  /// The time at which the next of the others is due, in milliseconds since 1970 UTC; nil for none.
  public let nextDue: Int64?

  /// The due time of the first of all deferred pushes, past or future, in milliseconds since 1970
  /// UTC; nil for none.
  public let firstDue: Int64?

  /// Pushes that are `unknown` are sent again; otherwise they stay `unknown`.
  public let resendsUnknown: Bool

  /// The number of pushes that the last pass may have resent before it was killed.
  public let claimedAgain: Int

  /// The run ended with a result for each push.
  public let wasFinished: Bool

  /// The time up to which deferred pushes count as due; with `--now` all are.
  public let horizon: Int64

  /// Creates the findings of a ledger.
  public init(
    run: RunNumber, record: RunRecord, tally: OutcomeTally, recipients: RecipientCounts,
    claimed: UInt64, last: UInt64?, claimedWithoutResult: Int, answered: Int = 0,
    hasNotes: Bool = false, deferredDue: Int, nextDue: Int64?,
    firstDue: Int64?, resendsUnknown: Bool, claimedAgain: Int, wasFinished: Bool, horizon: Int64
  ) {
    self.run = run
    self.record = record
    self.tally = tally
    self.recipients = recipients
    self.claimed = claimed
    self.last = last
    self.claimedWithoutResult = claimedWithoutResult
    self.answered = answered
    self.hasNotes = hasNotes
    self.deferredDue = deferredDue
    self.nextDue = nextDue
    self.firstDue = firstDue
    self.resendsUnknown = resendsUnknown
    self.claimedAgain = claimedAgain
    self.wasFinished = wasFinished
    self.horizon = horizon
  }

  /// The number of pushes that can be sent now, apart from those never read.
  public var ready: Int {
    let again = resendsUnknown ? tally.unknown : 0
    return deferredDue + tally.notAttempted + again + claimedWithoutResult
  }

  /// The number of pushes this pass has to finish; nil when unknown.
  ///
  /// - Parameter pushes: the number of pushes in the lists, as far as known.
  public func left(of pushes: PushTotal?) -> PushTotal? {
    if let last {
      // A stopped run has results of pushes beyond those that it claimed.
      let end = Int(min(last, claimed))
      let beyond = max(0, tally.total - (end - claimedWithoutResult))
      return PushTotal(count: ready + Int(last) - end - beyond, isExact: true)
    }
    // More may have been claimed ahead than there are: the rest is then negative.
    return pushes.map {
      PushTotal(count: max(0, ready + $0.count - Int(claimed)), isExact: $0.isExact)
    }
  }

  /// The step for a push of this standing.
  public func step(for standing: PushState) -> ResumeStep {
    record.step(for: standing, horizon: horizon)
  }

  /// The step for a push of this standing, at a time in milliseconds since 1970 UTC: expired
  /// notifications are no longer sent.
  public func step(for standing: PushState, now: Int64) -> ResumeStep {
    record.step(for: standing, horizon: horizon, now: now)
  }

  /// The number of pushes in doubt: claimed by a pass without a result from it or a noted answer, or
  /// `unknown` and to be sent again.
  public var inDoubt: Int {
    claimedWithoutResult + (resendsUnknown ? tally.unknown : claimedAgain) - answered
  }
}
