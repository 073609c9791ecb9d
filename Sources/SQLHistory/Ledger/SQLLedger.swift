public import PushModel

/// The history of one run in a database, while it is being sent.
public final class SQLLedger: ResultLedger, ClaimLedger {
  /// The number of the run.
  public let run: RunNumber

  /// The stored properties of the run.
  public let record: RunRecord

  /// The work that was left when the run was resumed; nil for a new run.
  var plan: ResumePlan? { stored?.plan }

  /// The failure that ended commits; nil if there was none.
  public private(set) var failure: HistoryError?

  /// The number of committed results, in the order they were recorded.
  public private(set) var committed = 0

  /// The committed results by outcome, including those of earlier passes.
  public private(set) var tally: OutcomeTally

  /// The last push that is claimed and may be sent. Claims of earlier passes do not count: a kill
  /// would leave no trace of a push that this pass sends under them.
  public private(set) var claimed: UInt64

  /// The counts of list lines, as far as any pass of the run has read them.
  public private(set) var recipients: RecipientCounts

  let database: Database
  let stored: StoredPlan?
  private let pace: Pace
  private let path: String
  /// True if its few pushes were all claimed when it began.
  private let hasClaimedAll: Bool
  private var watch: HistoryWatch?
  private var lease: (any RunLease)?
  private var writer: ResultWriter
  private let progressWriter: RunProgress.Writer
  /// True if the start of this pass is recorded. A new run is its first pass.
  private var hasBegun: Bool
  private var wanted: UInt64 = 0
  private var lastSequence: UInt64?
  /// The end of the lists, as this pass found it; nil before that.
  private var end: UInt64?
  /// The time at which the first push deferred by earlier passes is due.
  private var earlierDue: Int64?
  private var pending: [(results: [PushResult], time: Int64)] = []
  private var pendingCount = 0
  /// The row of the run's last commit.
  private var lastCommit: Int64
  /// The commit that was tried when the connection was lost.
  private var unanswered: Attempt?
  /// The recipients that are no longer in the lists. They are looked up once: an end whose answer
  /// was lost may have settled them.
  private var goneAtEnd: GoneRecipients?

  /// A commit, and the changes to apply once it has taken effect.
  private struct Attempt {
    var claim: UInt64
    var tally: OutcomeTally
    var lastCommit: Int64
    /// The number of pending batches that it writes.
    var batches: Int
    var results: Int
  }

  /// The starting point of a ledger.
  struct Start {
    var run: RunNumber
    var record: RunRecord
    var path: String
    var lease: any RunLease
    var watch: HistoryWatch?
    var plan: StoredPlan?
    var claimed: UInt64 = 0
    var pace: Pace
  }

  init(
    _ start: Start, after lastCommit: Int64, writer: consuming ResultWriter,
    progress: consuming RunProgress.Writer,
    database: consuming Database
  ) {
    run = start.run
    record = start.record
    stored = start.plan
    lease = start.lease
    watch = start.watch
    let plan = start.plan?.plan
    tally = plan?.tally ?? OutcomeTally()
    recipients = plan?.recipients ?? RecipientCounts()
    lastSequence = plan?.last
    earlierDue = plan?.firstDue
    hasBegun = start.plan == nil
    claimed = start.claimed
    pace = start.pace
    path = start.path
    hasClaimedAll = start.claimed > 0
    self.lastCommit = lastCommit
    self.writer = writer
    progressWriter = progress
    self.database = database
  }

  /// The time at which the first deferred push is or was due, in milliseconds since 1970 UTC; nil
  /// if there is none. During a pass of a resumed run, this includes pushes that the pass has sent.
  public var nextDue: Int64? { [writer.nextDue, earlierDue].compactMap(\.self).min() }

  /// The number of results that are not committed yet.
  public var uncommitted: Int { pendingCount }

  /// The latest time at which results must be committed.
  public func commitTime(ofResultsSince since: UInt64) -> UInt64 {
    since + UInt64(pace.batchMilliseconds) * 1_000_000
  }

  /// Records the start of the pass, unless that is done. Until then a resumed run stays unchanged.
  func beginPass() throws(HistoryError) {
    if !hasBegun { try commit() }
  }

  /// Keeps the mark of sent pushes in a ``SentFile``.
  public func keepSentMark() -> (any SentMark)? {
    hasClaimedAll
      ? nil
      : SentFile(
        run, record.identity, pass: stored?.pass ?? 0, of: path, from: plan?.claimed ?? 0)
  }

  /// Stores, with each further result, the payload rendered for the recipient; for a push that is
  /// sent again, the last one.
  ///
  /// - Throws: `HistoryError`, before anything is written.
  public func keepPayloads() throws(HistoryError) {
    writer.payloads = try PayloadWriter(run, on: database)
  }

  /// Claims pushes up to a number before the first of them is sent. Usually they are claimed
  /// already, because claims are made ahead.
  ///
  /// - Throws: `HistoryError`. None of the pushes may then be sent.
  public func claim(upTo sequence: UInt64) throws(HistoryError) {
    precondition(sequence <= RunNumber.lastSequence, "a run has fewer than 2^40 pushes")
    if let failure { throw failure }
    wanted = max(wanted, sequence)
    // The lists have changed since they were read to their end.
    if let last = lastSequence, sequence > last { lastSequence = nil }
    if sequence > claimed { try commit() }
  }

  /// Records the counts of the list lines read. All results must belong to lines within them.
  public func read(_ counts: RecipientCounts) { recipients = recipients.furthest(counts) }

  /// Takes results, and commits all pending ones once they are many.
  ///
  /// - Throws: `HistoryError`. The results are kept nevertheless.
  public func record(_ results: [PushResult], now: Int64) throws(HistoryError) {
    pending.append((results, now))
    pendingCount += results.count
    if let failure { throw failure }
    if pendingCount >= pace.batchResults { try commit() }
  }

  /// Records that the lists were read to their end: no push has a higher number.
  public func listsEnded(at sequence: UInt64) { (lastSequence, end) = (sequence, sequence) }

  /// Commits everything pending, together with the next claims.
  public func commit() throws(HistoryError) {
    if let failure { throw failure }
    try commit(nextClaim) { () throws(HistoryError) in }
  }

  /// Retries after a failure, over a new connection if the old one was lost.
  public func retry() throws(HistoryError) {
    do throws(HistoryError) {
      try database.driver.reconnect()
      try lease?.renew()
      try checkPass()
      try settleUnanswered()
    } catch {
      failure = error
      throw error
    }
    failure = nil
    try commit()
  }

  /// Takes the results that could not be committed, to be saved elsewhere.
  public func takeUncommitted() -> [PushResult] {
    defer { (pending, pendingCount, unanswered) = ([], 0, nil) }
    return pending.flatMap(\.results)
  }

  /// The next claim: claims are made in large steps, and again once half of a step is used.
  private var nextClaim: UInt64 {
    guard wanted + pace.claimStep / 2 > claimed, wanted > 0 else { return claimed }
    let end = min(lastSequence ?? RunNumber.lastSequence, wanted + max(1, pace.claimStep) - 1)
    return max(claimed, wanted, end)
  }
}

extension SQLLedger {
  /// Has runs of histories on servers keep their mark of sent pushes in a folder of this machine.
  public static func keepMarks(in folder: String) {
    SentFile.keep(in: folder)
  }

  /// Ends the run, or this pass of it: commits everything pending and the ending, then, for many
  /// results, the index of the device tokens in short transactions. The run's lease is free
  /// afterwards. Unfinished pushes to recipients no longer in the lists become `skipped`.
  ///
  /// - Throws: `HistoryError`; `gone` if the file was deleted, replaced or truncated meanwhile,
  ///   which does not stop the run.
  public func finish(_ ending: RunEnding) throws(HistoryError) {
    if let failure { throw failure }
    let counts = ending.recipients
    read(counts)
    if let end, goneAtEnd == nil { goneAtEnd = try stored?.gone(after: end, in: database) }
    let gone = goneAtEnd
    if let gone { recipients = counts.adding(gone) }
    let isSmall = tally.total + pendingCount <= TokenIndex.smallRun
    // Every push that was passed on has a result now. Those that were only claimed before an
    // interruption were certainly not sent.
    try commit(min(wanted, UInt64(counts.pushes)), settling: gone) { () throws(HistoryError) in
      try ending.write(of: run, to: database)
      if let gone, let end { try stored?.settle(gone, after: end, in: database) }
      earlierDue = try stored?.firstDue(in: database)
      if isSmall { try TokenIndex(of: run).buildAtOnce(in: database) }
    }
    if !isSmall { try TokenIndex(of: run).build(in: database) }
    SentFile.remove(run, record.identity, of: path)
    lease = nil
    try watch?.check()
  }

  /// Commits everything pending, a claim, and whatever `body` adds.
  private func commit(
    _ claim: UInt64, settling gone: GoneRecipients? = nil,
    also: () throws(HistoryError) -> Void
  ) throws(HistoryError) {
    var attempt = Attempt(
      claim: claim, tally: gone?.settled(tally) ?? tally, lastCommit: lastCommit,
      batches: pending.count, results: pendingCount)
    watch?.look()
    do throws(HistoryError) {
      try database.transaction { () throws(HistoryError) in
        if !hasBegun { try stored?.beginPass(after: &attempt.lastCommit, in: database) }
        try writePending(&attempt)
        try progressWriter.write(progress(claim, attempt.tally))
        try also()
      }
    } catch {
      writer.forget()
      if case .connectionLost = error { unanswered = attempt }
      let cause = watch?.cause(of: error) ?? error
      failure = cause
      throw cause
    }
    settle(attempt)
    watch?.look()
  }

  /// Checks that the run still belongs to this pass. While the connection was lost, another process
  /// may have resumed and released the run, or removed it; uncommitted results are then out of
  /// date.
  private func checkPass() throws(HistoryError) {
    guard HistoryLocation(path).isServer else { return }
    let row = try Statement(
      """
      SELECT pass, pass_claimed, state FROM progress JOIN runs ON id = run WHERE run = \(run)
      """, on: database)
    guard try row.step() else { throw HistoryError.noSuchRun(run) }
    let own = stored?.pass ?? 0
    let (pass, claimed, state) = (row.int64(0), row.int64(1), row.text(2))
    row.reset()
    var isOwn = pass == (hasBegun ? own : own - 1)
    if !hasBegun, pass == own { isOwn = try isUnanswered(claimed, state) }
    if !isOwn { throw HistoryError.owned(run: run, pid: nil, host: nil) }
  }

  /// Returns true if the stored pass is this one, whose first commit got no answer.
  private func isUnanswered(_ claimed: Int64, _ state: String?) throws(HistoryError) -> Bool {
    guard let unanswered, state == RunState.running.rawValue else { return false }
    let last = try database.lastCommit(of: run) ?? lastCommit
    return claimed == unanswered.claim && last == unanswered.lastCommit
  }

  /// Determines if the commit whose answer was lost took effect. One that is not in the log can be
  /// repeated safely. The server has ended it by now, or the lease would not be free.
  private func settleUnanswered() throws(HistoryError) {
    if let unanswered, unanswered.lastCommit > lastCommit,
      try database.hasCommit(unanswered.lastCommit)
    {
      settle(unanswered)
    }
    unanswered = nil
  }

  private func settle(_ attempt: Attempt) {
    (tally, claimed, lastCommit) = (attempt.tally, attempt.claim, attempt.lastCommit)
    // Its information about earlier passes is now part of the claim.
    if !hasBegun { SentFile.remove(run, record.identity, of: path) }
    hasBegun = true
    committed += attempt.results
    pending.removeFirst(attempt.batches)
    pendingCount -= attempt.results
  }

  private func writePending(_ attempt: inout Attempt) throws(HistoryError) {
    try writer.write(pending, into: &attempt.tally)
    try writer.endCommit(after: &attempt.lastCommit)
  }

  private func progress(_ claim: UInt64, _ tally: OutcomeTally) -> RunProgress {
    RunProgress(
      claimed: max(plan?.claimed ?? 0, claim), passClaimed: claim, last: lastSequence,
      tally: tally, recipients: recipients)
  }
}
