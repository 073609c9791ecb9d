public import PushModel

/// The history of one run in a database, while it is being sent.
public final class SQLLedger: ResultLedger, ClaimLedger {
  /// The number of the run.
  public let run: RunNumber

  /// What is kept of the run.
  public let record: RunRecord

  /// What was left to do when the run was resumed; nil for a run of its own.
  var plan: ResumePlan? { stored?.plan }

  /// Why nothing is committed any more; nil while all is well.
  public private(set) var failure: HistoryError?

  /// How many of the results that were handed in are committed, in the order they came.
  public private(set) var committed = 0

  /// What the committed results are, with those of earlier passes.
  public private(set) var tally: OutcomeTally

  /// Pushes up to this one are claimed and may be sent. What earlier passes of the run claimed does
  /// not count: nothing would be known of a push that this pass sends.
  public private(set) var claimed: UInt64

  /// What became of the lists' lines, as far as any pass of the run has read them.
  public private(set) var recipients: RecipientCounts

  let database: Database
  let stored: StoredPlan?
  private let pace: Pace
  private let path: String
  /// Whether its few pushes were claimed when it began.
  private let hasClaimedAll: Bool
  private var watch: HistoryWatch?
  private var lease: (any RunLease)?
  private var writer: ResultWriter
  private let progressWriter: RunProgress.Writer
  /// Whether it is written down that this pass goes on. A new run is its first pass.
  private var hasBegun: Bool
  private var wanted: UInt64 = 0
  private var lastSequence: UInt64?
  /// Where this pass found the end of the lists; nil while it has not.
  private var end: UInt64?
  /// When the first of the pushes is due that earlier passes deferred.
  private var earlierDue: Int64?
  private var pending: [(results: [PushResult], time: Int64)] = []
  private var pendingCount = 0
  /// The row of the run's last commit.
  private var lastCommit: Int64
  /// The commit that was tried when the connection was lost.
  private var unanswered: Attempt?
  /// Recipients that are no longer in the lists. They are looked up once: an end whose answer was lost
  /// may have settled them.
  private var goneAtEnd: GoneRecipients?

  /// What a commit writes, and what is so once it has taken effect.
  private struct Attempt {
    var claim: UInt64
    var tally: OutcomeTally
    var lastCommit: Int64
    /// How many of those that wait.
    var batches: Int
    var results: Int
  }

  /// Where a ledger starts from.
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

  /// When the first of the deferred pushes is or was due, in milliseconds since 1970 UTC; nil when
  /// there is none. While a pass of a run that was resumed goes on, pushes count that it has sent.
  public var nextDue: Int64? { [writer.nextDue, earlierDue].compactMap(\.self).min() }

  /// How many results wait to be committed.
  public var uncommitted: Int { pendingCount }

  /// The time at which results have to be committed, at the latest.
  public func commitTime(ofResultsSince since: UInt64) -> UInt64 {
    since + UInt64(pace.batchMilliseconds) * 1_000_000
  }

  /// Writes down that the run is sent again, unless that is done: until then a run that is resumed is
  /// as it was.
  func beginPass() throws(HistoryError) {
    if !hasBegun { try commit() }
  }

  /// Keeps how far pushes are sent in a ``SentFile``.
  public func keepSentMark() -> (any SentMark)? {
    hasClaimedAll
      ? nil : SentFile(run, record.identity, of: path, from: plan?.claimed ?? 0)
  }

  /// From now on keeps, with each result, the payload that the row made of the template. Of a push
  /// that is sent again it is the last one.
  ///
  /// - Throws: `HistoryError`; nothing was written.
  public func keepPayloads() throws(HistoryError) {
    writer.payloads = try PayloadWriter(run, on: database)
  }

  /// Sees to it that pushes up to a number count as claimed, before the first of them is sent.
  /// Mostly they do already: claims are made ahead.
  ///
  /// - Throws: `HistoryError`; then none of them may be sent.
  public func claim(upTo sequence: UInt64) throws(HistoryError) {
    precondition(sequence <= RunNumber.lastSequence, "a run has fewer than 2^40 pushes")
    if let failure { throw failure }
    wanted = max(wanted, sequence)
    // Then the lists have changed since they were read to their end.
    if let last = lastSequence, sequence > last { lastSequence = nil }
    if sequence > claimed { try commit() }
  }

  /// The lists were read so far. The results that are handed in have to be of lines in it.
  public func read(_ counts: RecipientCounts) { recipients = recipients.furthest(counts) }

  /// Takes results, and commits all that wait when they are many.
  ///
  /// - Throws: `HistoryError`; the results are kept even then.
  public func record(_ results: [PushResult], now: Int64) throws(HistoryError) {
    pending.append((results, now))
    pendingCount += results.count
    if let failure { throw failure }
    if pendingCount >= pace.batchResults { try commit() }
  }

  /// The lists were read to their end: no push has a higher number.
  public func listsEnded(at sequence: UInt64) { (lastSequence, end) = (sequence, sequence) }

  /// Commits everything that waits, together with the next claims.
  public func commit() throws(HistoryError) {
    if let failure { throw failure }
    try commit(nextClaim) { () throws(HistoryError) in }
  }

  /// Tries once more after a failure, over a new connection when that was lost.
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

  /// Hands the results out that could not be committed, to be saved elsewhere.
  public func takeUncommitted() -> [PushResult] {
    defer { (pending, pendingCount, unanswered) = ([], 0, nil) }
    return pending.flatMap(\.results)
  }

  /// Claims in large steps, and again when half of a step is used up.
  private var nextClaim: UInt64 {
    guard wanted + pace.claimStep / 2 > claimed, wanted > 0 else { return claimed }
    let end = min(lastSequence ?? RunNumber.lastSequence, wanted + max(1, pace.claimStep) - 1)
    return max(claimed, wanted, end)
  }
}

extension SQLLedger {
  /// Ends the run, or this pass of it: commits what waits, how it ended, and, when it was many, the
  /// index of the device tokens in short transactions. The run's lease is free afterwards. Nothing more
  /// is sent to recipients that the lists no longer have: what was open of them is `skipped`.
  ///
  /// - Throws: `HistoryError`; `gone` when the file was deleted, replaced or cut short meanwhile, which
  ///   does not keep the run from being sent.
  public func finish(_ ending: RunEnding) throws(HistoryError) {
    if let failure { throw failure }
    let counts = ending.recipients
    read(counts)
    if let end, goneAtEnd == nil { goneAtEnd = try stored?.gone(after: end, in: database) }
    let gone = goneAtEnd
    if let gone { recipients = counts.adding(gone) }
    let isSmall = tally.total + pendingCount <= TokenIndex.smallRun
    // Every push that was handed on has a result now. Those that were only claimed, because the run
    // was interrupted just then, were certainly not sent.
    try commit(min(wanted, UInt64(counts.pushes)), settling: gone) { () throws(HistoryError) in
      try ending.write(of: run, to: database)
      if let gone, let end { try stored?.settle(gone, after: end, in: database) }
      earlierDue = try stored?.firstDue(in: database)
      if isSmall { try TokenIndex(of: run).buildAtOnce(in: database) }
    }
    if !isSmall { try TokenIndex(of: run).build(in: database) }
    SentFile.remove(run, of: path)
    lease = nil
    try watch?.check()
  }

  /// Commits what waits, a claim, and whatever else belongs to it.
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

  /// While the connection was lost, another process may have sent the run and let go of it again, or
  /// removed it. What this pass has not committed is then out of date.
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

  /// Whether the pass that has begun is this one, whose first commit was not answered.
  private func isUnanswered(_ claimed: Int64, _ state: String?) throws(HistoryError) -> Bool {
    guard let unanswered, state == RunState.running.rawValue else { return false }
    let last = try database.lastCommit(of: run) ?? lastCommit
    return claimed == unanswered.claim && last == unanswered.lastCommit
  }

  /// Finds out whether the commit took effect whose answer was lost. One that is not in the log can be
  /// repeated without harm. The server has ended it by now, or the lease would not be free.
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
    // What it said of earlier passes is part of the claim by now.
    if !hasBegun { SentFile.remove(run, of: path) }
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
