/// The history of one run while it is being sent: which pushes may have been sent, and what became
/// of them. Nothing counts before it is committed. It belongs to one thread at a time.
///
/// After a failure it takes no more claims, and keeps the results that it could not commit until
/// ``retry()`` succeeds or ``takeUncommitted()`` hands them out.
public final class Ledger {
  /// The number of the run.
  public let run: RunNumber

  /// What is kept of the run.
  public let record: RunRecord

  /// What was left to do when the run was resumed; nil for a run of its own.
  public let plan: ResumePlan?

  /// Why nothing is committed any more; nil while all is well.
  public private(set) var failure: HistoryError?

  /// How many of the results that were handed in are committed, in the order they came.
  public private(set) var committed = 0

  /// What the committed results are, with those of earlier passes.
  public private(set) var tally: OutcomeTally

  /// Pushes up to this one may be sent.
  public private(set) var claimed: UInt64

  let database: Database
  private let pace: Pace
  private var lease: RunLease?
  private var writer: ResultWriter
  private let progress: Statement
  /// The claims of earlier passes.
  private let claimedBefore: UInt64
  /// The claims of this pass.
  private var passClaimed: UInt64
  private var wanted: UInt64 = 0
  private var lastSequence: UInt64?
  private var pending: [(results: [PushResult], time: Int64)] = []
  private var pendingCount = 0

  /// Where a ledger starts from.
  struct Start {
    var run: RunNumber
    var record: RunRecord
    var lease: RunLease
    var plan: ResumePlan?
    var pass: Int64 = 0
    var tally = OutcomeTally()
    var claimedBefore: UInt64 = 0
    var passClaimed: UInt64 = 0
    var pace: Pace
  }

  init(
    _ start: Start, writer: consuming ResultWriter, progress: consuming Statement,
    database: consuming Database
  ) {
    run = start.run
    record = start.record
    plan = start.plan
    lease = start.lease
    tally = start.tally
    claimedBefore = start.claimedBefore
    passClaimed = start.passClaimed
    claimed = max(start.claimedBefore, start.passClaimed)
    pace = start.pace
    self.writer = writer
    self.progress = progress
    self.database = database
  }

  /// When the first of the deferred pushes is due that wait, in milliseconds since 1970 UTC; nil
  /// when none waits, or all are due already.
  public var nextDue: Int64? { [writer.nextDue, plan?.nextDue].compactMap(\.self).min() }

  /// How many results wait to be committed.
  public var uncommitted: Int { pendingCount }

  /// When the results that wait have to be committed, in milliseconds since 1970 UTC; nil when none
  /// waits.
  public var commitDue: Int64? {
    pending.first.map { $0.time + Int64(pace.batchMilliseconds) }
  }

  /// Sees to it that pushes up to a number count as claimed, before the first of them is sent.
  /// Mostly they do already: claims are made ahead.
  ///
  /// - Throws: `HistoryError`; then none of them may be sent.
  public func claim(upTo sequence: UInt64) throws(HistoryError) {
    precondition(sequence <= RunNumber.lastSequence, "a run has fewer than 2^40 pushes")
    if let failure { throw failure }
    wanted = max(wanted, sequence)
    if sequence > passClaimed { try commit() }
  }

  /// Takes results, and commits all that wait when they are many or have waited long enough.
  ///
  /// - Throws: `HistoryError`; the results are kept even then.
  public func record(_ results: [PushResult], now: Int64) throws(HistoryError) {
    pending.append((results, now))
    pendingCount += results.count
    try commitIfDue(now: now)
  }

  /// Commits what waits if it has waited long enough.
  public func commitIfDue(now: Int64) throws(HistoryError) {
    if let failure { throw failure }
    // A clock that was set back makes nobody wait.
    let isDue = pending.first.map {
      !(0..<Int64(pace.batchMilliseconds) ~= now - $0.time)
    }
    if isDue ?? false || pendingCount >= pace.batchResults { try commit() }
  }

  /// The lists were read to their end: no push has a higher number.
  public func listsEnded(at sequence: UInt64) { lastSequence = sequence }

  /// Commits everything that waits, together with the next claims.
  public func commit() throws(HistoryError) {
    if let failure { throw failure }
    try commit(nextClaim) { () throws(HistoryError) in }
  }

  /// Tries once more after a failure.
  public func retry() throws(HistoryError) {
    failure = nil
    try commit()
  }

  /// Hands the results out that could not be committed, to be saved elsewhere.
  public func takeUncommitted() -> [PushResult] {
    defer { (pending, pendingCount) = ([], 0) }
    return pending.flatMap(\.results)
  }

  /// Claims in large steps, and again when half of a step is used up.
  private var nextClaim: UInt64 {
    guard wanted + pace.claimStep / 2 > passClaimed, wanted > 0 else { return passClaimed }
    let end = min(lastSequence ?? RunNumber.lastSequence, wanted + max(1, pace.claimStep) - 1)
    return max(passClaimed, wanted, end)
  }
}

extension Ledger {
  /// Ends the run, or this pass of it: commits what waits, how it ended, and, when it was many, the
  /// index of the device tokens in short transactions. The run's lease is free afterwards.
  ///
  /// - Parameters:
  ///   - state: `finished` when the lists were read to the end and each push has a result.
  ///   - recipients: what became of the lists' lines, up to the last push that was handed on to be
  ///     sent.
  ///   - summary: the run's figures as a JSON object.
  public func finish(
    _ state: RunState, recipients: RecipientReader.Counts, summary: String, now: Int64
  ) throws(HistoryError) {
    if let failure { throw failure }
    let ending = RunEnding(
      run: run, state: state, recipients: recipients, last: lastSequence, summary: summary, at: now)
    let isSmall = tally.total + pendingCount <= TokenIndex.smallRun
    // Every push that was handed on has a result now. Those that were only claimed, because the run
    // was interrupted just then, were certainly not sent.
    try commit(min(wanted, UInt64(recipients.pushes))) { () throws(HistoryError) in
      try ending.write(to: database)
      if isSmall { try TokenIndex(of: run).buildAtOnce(in: database) }
    }
    if !isSmall { try TokenIndex(of: run).build(in: database) }
    lease = nil
  }

  /// Commits what waits, a claim, and whatever else belongs to it.
  private func commit(
    _ claim: UInt64, also: () throws(HistoryError) -> Void
  ) throws(HistoryError) {
    var tally = tally
    do throws(HistoryError) {
      try database.transaction { () throws(HistoryError) in
        try writePending(into: &tally)
        try writeProgress(claim, tally)
        try also()
      }
    } catch {
      writer.forget()
      failure = error
      throw error
    }
    settle(claim, tally)
  }

  private func settle(_ claim: UInt64, _ tally: OutcomeTally) {
    self.tally = tally
    passClaimed = claim
    claimed = max(claimedBefore, claim)
    committed += pendingCount
    pending.removeAll(keepingCapacity: true)
    pendingCount = 0
  }

  private func writePending(into tally: inout OutcomeTally) throws(HistoryError) {
    for (results, time) in pending {
      for result in results { try writer.write(result, now: time, into: &tally) }
    }
  }

  static let progressUpdate = """
    UPDATE progress SET claimed = ?, pass_claimed = ?, accepted = ?, rejected = ?, skipped = ?,
      deferred = ?, unknown = ?, not_attempted = ? WHERE run = ?
    """

  private func writeProgress(_ claim: UInt64, _ tally: OutcomeTally) throws(HistoryError) {
    progress.bind(Int64(max(claimedBefore, claim)), at: 1)
    progress.bind(Int64(claim), at: 2)
    progress.bind(tally.accepted, at: 3)
    progress.bind(tally.rejected, at: 4)
    progress.bind(tally.skipped, at: 5)
    progress.bind(tally.deferred, at: 6)
    progress.bind(tally.unknown, at: 7)
    progress.bind(tally.notAttempted, at: 8)
    progress.bind(run.rawValue, at: 9)
    try progress.run()
  }
}
