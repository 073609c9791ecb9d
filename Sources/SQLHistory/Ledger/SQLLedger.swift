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
  public var committed: Int { outbox.committed }

  /// The committed results by outcome, including those of earlier passes.
  public private(set) var tally: OutcomeTally

  /// The last push that is claimed and may be sent. Claims of earlier passes do not count: a kill
  /// would leave no trace of a push that this pass sends under them.
  public private(set) var claimed: UInt64

  /// The counts of list lines, as far as any pass of the run has read them.
  public private(set) var recipients: RecipientCounts

  /// Frees room on the history's disk when it is full, once; nil when nothing can be spared.
  public var makeRoom: (() -> Void)?

  let database: Database
  let stored: StoredPlan?
  private let pace: Pace
  /// True if its few pushes were all claimed when it began.
  private let hasClaimedAll: Bool
  private var watch: HistoryWatch?
  private var notes: SentFile?
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
  /// The row of the run's last commit.
  private var lastCommit: Int64
  /// True if the end of this pass is recorded.
  private var hasEnded = false
  private var outbox: PendingCommits<(results: PushResults, time: Int64), Change>

  /// The effects of a commit.
  struct Change {
    var claim: UInt64
    var tally: OutcomeTally
    var lastCommit: Int64
    var ends: Bool
  }

  /// The starting point of a ledger.
  struct Start {
    var run: RunNumber
    var record: RunRecord
    var lease: any RunLease
    var watch: HistoryWatch?
    var plan: StoredPlan?
    var claimed: UInt64 = 0
    var pace: Pace
  }

  init(
    _ start: Start, after lastCommit: Int64,
    _ outbox: PendingCommits<(results: PushResults, time: Int64), Change>,
    writer: consuming ResultWriter, progress: consuming RunProgress.Writer,
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
    hasClaimedAll = start.claimed > 0
    self.lastCommit = lastCommit
    self.outbox = outbox
    self.writer = writer
    progressWriter = progress
    self.database = database
  }

  /// The time at which the first deferred push is or was due, in milliseconds since 1970 UTC; nil
  /// if there is none. During a pass of a resumed run, this includes pushes that the pass has sent.
  public var nextDue: Int64? { [writer.nextDue, earlierDue].compactMap(\.self).min() }

  /// The number of results that are not committed yet.
  public var uncommitted: Int { outbox.size }

  /// The latest time at which results must be committed.
  public func commitTime(ofResultsSince since: UInt64) -> UInt64 {
    since + UInt64(pace.batchMilliseconds) * 1_000_000
  }

  /// Records the start of the pass, unless that is done. Until then a resumed run stays unchanged.
  func beginPass() throws(HistoryError) {
    if hasBegun { return }
    try commit()
    // The answers that earlier passes noted are still needed.
    notes = newNotes
  }

  /// Keeps notes in a ``SentFile``.
  public func keepNotes() -> (any RunNotes)? {
    if hasClaimedAll { return nil }
    notes = notes ?? newNotes
    return notes
  }

  private var newNotes: SentFile? {
    sentFile.map {
      SentFile($0, from: plan?.claimed ?? 0, with: stored.map { Array($0.answers.values) } ?? [])
    }
  }

  private var sentFile: SentFileName? { sentFile(beside: database.driver.file) }

  private func sentFile(beside history: String?) -> SentFileName? {
    SentFileName(run, record.identity, pass: stored?.pass ?? 0, beside: history)
  }

  /// Marks, where there may be room, the last push that was sent. Without a mark all that was claimed
  /// ahead would count as sent.
  private func leaveMark() {
    guard let notes, notes.failure != nil, let name = sentFile(beside: nil) else { return }
    self.notes = SentFile(name, from: notes.mark)
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
  public func record(_ results: PushResults, now: Int64) throws(HistoryError) {
    outbox.add((results, now), size: results.count)
    if let failure { throw failure }
    if uncommitted >= pace.batchResults { try commit() }
  }

  /// Records that the lists were read to their end: no push has a higher number.
  public func listsEnded(at sequence: UInt64) { (lastSequence, end) = (sequence, sequence) }

  /// Commits everything pending, together with the next claims.
  public func commit() throws(HistoryError) {
    if let failure { throw failure }
    try commit(nextClaim)
  }

  /// Retries after a failure, over a new connection if the old one was lost.
  public func retry() throws(HistoryError) {
    do throws(HistoryError) {
      if let change = try outbox.reconnect(renewing: lease, in: database) { apply(change) }
    } catch {
      failure = error
      throw error
    }
    failure = nil
    if !hasEnded { try commit() }
  }

  /// Takes the results that could not be committed, to be saved elsewhere; not those of pushes that the
  /// mark shows as not sent. Nothing is in flight then.
  public func takeUncommitted() -> [PushResult] {
    leaveMark()
    let results = outbox.takeAll().flatMap(\.results)
    guard let mark = notes?.mark else { return results }
    return results.filter { $0.outcome != .notAttempted || $0.push.sequence <= mark }
  }

  /// The next claim: claims are made in large steps, and again once half of a step is used.
  private var nextClaim: UInt64 {
    guard wanted + pace.claimStep / 2 > claimed, wanted > 0 else { return claimed }
    let end = min(lastSequence ?? RunNumber.lastSequence, wanted + max(1, pace.claimStep) - 1)
    return max(claimed, wanted, end)
  }
}

extension SQLLedger {
  /// Has runs of histories on servers keep their notes of sent pushes in a folder of this machine.
  public static func keepMarks(in folder: String) {
    SentFileName.keep(in: folder)
  }

  /// Ends the run, or this pass of it: commits everything pending and the ending, then, for many
  /// results, the index of the device tokens in short transactions. The run's lease is free
  /// afterwards. Unfinished pushes to recipients no longer in the lists become `skipped`.
  ///
  /// - Throws: `HistoryError`; `gone` if the file was deleted, replaced or truncated meanwhile,
  ///   which does not stop the run.
  public func finish(_ ending: RunEnding) throws(HistoryError) {
    if let failure { throw failure }
    let isSmall = tally.total + uncommitted <= TokenIndex.smallRun
    if !hasEnded { try commit(ending, isSmall: isSmall) }
    if !isSmall { try TokenIndex(of: run).build(in: database) }
    for place in [database.driver.file, nil] { sentFile(beside: place)?.remove() }
    lease = nil
    try watch?.check()
  }

  private func commit(_ ending: RunEnding, isSmall: Bool) throws(HistoryError) {
    let counts = ending.recipients
    read(counts)
    let gone = try end.flatMap { (end) throws(HistoryError) in
      try stored?.gone(after: end, in: database)
    }
    if let gone { recipients = counts.adding(gone) }
    // Every push that was passed on has a result now. Those that were only claimed before an
    // interruption were certainly not sent.
    try commit(min(wanted, UInt64(counts.pushes)), ends: true, settling: gone) {
      () throws(HistoryError) in
      try ending.write(of: run, to: database)
      if let gone, let end { try stored?.settle(gone, after: end, in: database) }
      earlierDue = try stored?.firstDue(in: database)
      if isSmall { try TokenIndex(of: run).buildAtOnce(in: database) }
    }
  }

  /// Commits everything pending, a claim, and whatever `body` adds.
  private func commit(
    _ claim: UInt64, ends: Bool = false, settling gone: GoneRecipients? = nil,
    also: () throws(HistoryError) -> Void = {}
  ) throws(HistoryError) {
    watch?.look()
    do throws(HistoryError) {
      let change = try outbox.commit(first: outbox.items.count, in: database) {
        (results, stamp) throws(HistoryError) in
        var change = Change(
          claim: claim, tally: gone?.settled(tally) ?? tally, lastCommit: lastCommit,
          ends: ends)
        if !hasBegun { try stored?.beginPass(after: &change.lastCommit, in: database) }
        try writer.write(results, into: &change.tally)
        try writer.endCommit(after: &change.lastCommit)
        try progressWriter.write(progress(change), stamp: stamp)
        try also()
        return change
      }
      apply(change)
    } catch {
      writer.forget()
      let cause = watch?.cause(of: error) ?? error
      if cause == .full, let makeRoom {
        self.makeRoom = nil
        makeRoom()
        return try commit(claim, ends: ends, settling: gone, also: also)
      }
      failure = cause
      throw cause
    }
    watch?.look()
  }

  private func apply(_ change: Change) {
    (tally, claimed, lastCommit) = (change.tally, change.claim, change.lastCommit)
    (hasBegun, hasEnded) = (true, change.ends)
  }

  private func progress(_ change: Change) -> RunProgress {
    RunProgress(
      claimed: max(plan?.claimed ?? 0, change.claim), passClaimed: change.claim,
      last: lastSequence, tally: change.tally, recipients: recipients)
  }
}
