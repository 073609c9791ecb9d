internal import PushModel
internal import SQLHistory

/// Writes what a worker's session commits, within the caller's transaction.
///
/// Locks are taken in one order, so that workers wait for each other and never in a circle: the session's
/// row, the words, the run's row of `progress`.
struct WorkerWriter: ~Copyable {
  /// Results that came together.
  struct Batch {
    var results: [PushResult]
    /// Milliseconds since 1970 UTC by this machine's clock.
    var time: Int64
    /// When they came, in nanoseconds of the monotonic clock.
    var since: UInt64
  }

  /// What a transaction did, which is so once it has taken effect.
  struct Outcomes {
    var chunks: [UInt64: ClaimedChunks.Entry] = [:]
    /// Whether the session had ended, and its chunks were free or others' before.
    var isLost = false
    /// Whether the session has given back all its chunks.
    var isLast = false
    /// Whether the run ended with it.
    var endsRun = false
    /// When the first push that it left is due, in milliseconds by the server's clock.
    var nextDue: Int64?
  }

  /// How long to wait before a push is sent again whose attempts all stayed without an answer, in
  /// milliseconds.
  private static let unknownWait: Int64 = 60_000

  private let session: WorkerSession
  private let record: RunRecord
  private let fence: Statement
  private let progress: Statement
  private let deletion: Statement
  private let freeing: Statement
  private var writer: ResultWriter
  private var others: OtherResults
  private var changes = OutcomeTally()
  private var done = Outcomes()
  /// By the server's clock.
  private var serverTime: Int64 = 0

  init(
    _ session: WorkerSession, _ record: RunRecord, on database: borrowing Database
  ) throws(HistoryError) {
    // Put together first: what is not copyable cannot be half made.
    let fence = try Statement(
      """
      UPDATE workers SET commits = commits + 1, \(Self.additions) WHERE id = \(session.number)
        RETURNING ended, server_time()
      """, on: database)
    let progress = try Statement(
      "UPDATE progress SET \(Self.additions) WHERE run = \(session.run)", on: database)
    let deletion = try Statement(
      "DELETE FROM chunks WHERE id = ? AND worker = \(session.number)", on: database)
    let freeing = try Statement(
      """
      UPDATE chunks SET worker = NULL, mark = ?, due = ?
        WHERE id = ? AND worker = \(session.number)
      """, on: database)
    let writer = try ResultWriter(
      run: session.run, started: record.started, pass: 0, on: database)
    let others = try OtherResults(session, started: record.started, on: database)
    self.session = session
    self.record = record
    self.fence = fence
    self.progress = progress
    self.deletion = deletion
    self.freeing = freeing
    self.writer = writer
    self.others = others
  }

  private static let additions =
    ["accepted", "rejected", "skipped", "deferred", "unknown", "not_attempted"]
    .map { "\($0) = \($0) + ?" }.joined(separator: ", ")

  /// From now on keeps the payloads that rows made.
  mutating func keepPayloads(in database: borrowing Database) throws(HistoryError) {
    writer.payloads = try PayloadWriter(session.run, on: database)
  }

  /// Writes results, and gives chunks back that need none any more.
  ///
  /// - Parameters:
  ///   - own: what the results are.
  ///   - now: by the monotonic clock.
  ///   - isLast: whether the session sends no more: then it gives back all that it has.
  mutating func write(
    _ batches: ArraySlice<Batch>, _ own: OutcomeTally, now: UInt64, isLast: Bool,
    in database: borrowing Database
  ) throws(HistoryError) -> Outcomes {
    (changes, done) = (OutcomeTally(), Outcomes(isLast: isLast))
    try takeFence(own)
    for batch in batches { try writeNew(batch, now: now) }
    try writeOld(batches, now: now, in: database)
    try giveBack(in: database)
    try writer.flush()
    // From here to COMMIT the workers of a run take turns: its commits are numbered in their order.
    progress.bind(changes)
    try progress.run()
    let first = session.run.rows.lowerBound
    var last = try database.lastCommit(of: session.run) ?? first
    try writer.endCommit(after: &last)
    done.endsRun = try database.endIfDone(session.run)
    return done
  }

  /// Forgets what a transaction that was rolled back may have put in.
  mutating func forget() {
    writer.forget()
    others.forget()
  }

  /// As long as the transaction goes on, nobody else can take the session's chunks.
  private mutating func takeFence(_ own: OutcomeTally) throws(HistoryError) {
    fence.bind(own)
    guard try fence.step() else { throw HistoryError.noSuchRun(session.run) }
    defer { fence.reset() }
    done.isLost = !fence.isNull(0)
    serverTime = try fence.time(1)
    // Whoever has the chunks by now may be sending again what they know nothing of. At most once they do
    // not send it.
    writer.lateSession = done.isLost && !record.atMostOnce ? session.number : nil
  }
}

// Results.
extension WorkerWriter {
  private mutating func writeNew(_ batch: Batch, now: UInt64) throws(HistoryError) {
    if done.isLost { return }
    for result in batch.results where result.isOfFirstClaim {
      let age = batch.age(at: now)
      try writer.write(result, over: nil, at: time(of: result, batch.time, age), into: &changes)
      count(result, as: result.outcome, age)
    }
  }

  /// Others may have written results of these pushes.
  private mutating func writeOld(
    _ batches: ArraySlice<Batch>, now: UInt64, in database: borrowing Database
  ) throws(HistoryError) {
    let isLost = done.isLost
    let rest = batches.map { batch in
      (batch, isLost ? batch.results : batch.results.filter { !$0.isOfFirstClaim })
    }
    if rest.allSatisfy(\.1.isEmpty) { return }
    try database.lockWords()
    try database.execute("SELECT run FROM progress WHERE run = \(session.run) FOR UPDATE")
    for (batch, results) in rest {
      for (range, results) in results.byChunk {
        let earlier = try others.find(range)
        for result in results {
          try write(
            result, beside: earlier[result.push.sequence], batch.time, batch.age(at: now))
        }
      }
    }
  }

  private mutating func write(
    _ result: PushResult, beside earlier: EarlierResult?, _ now: Int64, _ age: Int64
  ) throws(HistoryError) {
    let time = time(of: result, now, age)
    switch others.place(of: result, beside: earlier) {
    case .counts(let earlier):
      try writer.write(result, over: earlier, at: time, into: &changes)
      count(result, as: result.outcome, age, deferrals: earlier?.deferrals ?? 0)
    case .replaces(var earlier):
      try others.keepReplaced(result.push.sequence)
      // Its attempts are told beside it.
      (earlier.attempts, earlier.wasResent) = (0, true)
      try writer.write(result, over: earlier, at: time, into: &changes)
      count(result, as: result.outcome, age, deferrals: earlier.deferrals)
    case .yields(let earlier):
      try others.keep(result, at: time)
      let sequence = result.push.sequence
      if earlier.claimedBy == session.number { try others.release(sequence...sequence) }
      // It was the push's turn, and still is.
      let isStillDue = result.outcome == .notAttempted && !earlier.outcome.isLast
      count(
        result, as: isStillDue ? .notAttempted : earlier.outcome, age,
        deferrals: earlier.deferrals - 1)
    }
  }

  /// - Parameters:
  ///   - age: how long ago it came, in milliseconds.
  ///   - deferrals: how often the push was deferred before.
  private mutating func count(
    _ result: PushResult, as outcome: Outcome, _ age: Int64, deferrals: Int64 = 0
  ) {
    guard !done.isLost, let chunk = result.push.chunk.claim?.chunk,
      var entry = done.chunks[chunk] ?? session.chunks[chunk]
    else { return }
    entry.take(result.push.sequence, due: due(outcome, age, deferrals: deferrals + 1))
    done.chunks[chunk] = entry
  }

  /// When a push is due again is counted from its deferral, and must be so for all workers.
  private func time(of result: PushResult, _ now: Int64, _ age: Int64) -> Int64 {
    result.outcome == .deferred ? serverTime - age : result.answeredAt ?? now
  }

  /// This machine's clock may be wrong: only how much time has passed is taken from it.
  private func due(_ outcome: Outcome, _ age: Int64, deferrals: Int64) -> DueTime? {
    switch outcome {
    case .accepted, .rejected, .skipped: nil
    case .deferred: .at(serverTime - age + Deferral.wait(after: deferrals))
    case .unknown:
      record.resendsUnknown(at: serverTime) ? .at(serverTime - age + Self.unknownWait) : nil
    case .notAttempted: .now
    }
  }
}

// Chunks.
extension WorkerWriter {
  private mutating func giveBack(in database: borrowing Database) throws(HistoryError) {
    if done.isLost { return }
    let more = done.isLast ? session.chunks.all : session.chunks.complete
    done.chunks.merge(more) { mine, _ in mine }
    for (chunk, entry) in done.chunks where done.isLast || entry.missing <= 0 {
      try giveBack(chunk, entry)
    }
    // Those that were claimed and never came to be known here.
    if done.isLast {
      try database.execute("UPDATE chunks SET worker = NULL WHERE worker = \(session.number)")
    }
  }

  private mutating func giveBack(
    _ chunk: UInt64, _ entry: ClaimedChunks.Entry
  ) throws(HistoryError) {
    let row = session.run.row(of: chunk)
    if entry.isDone {
      deletion.bind(row, at: 1)
      return try deletion.run()
    }
    // What the session has not handed on was not sent: the mark need not be as high as it is, and the
    // results of earlier workers are not out of date.
    if entry.missing > 0, entry.mark >= chunk { try others.release(chunk...entry.mark) }
    let due = entry.missing > 0 ? nil : entry.nextDue
    freeing.bind(Int64(entry.mark), at: 1)
    freeing.bind(due, at: 2)
    freeing.bind(row, at: 3)
    try freeing.run()
    done.nextDue = [done.nextDue, entry.due].compactMap(\.self).min()
  }
}

extension WorkerWriter.Batch {
  /// How long ago the results came, in milliseconds.
  fileprivate func age(at now: UInt64) -> Int64 {
    Int64(clamping: (now > since ? now - since : 0) / 1_000_000)
  }
}

extension Outcome {
  /// Whether a push that has it is never sent again.
  fileprivate var isLast: Bool { [.accepted, .rejected, .skipped].contains(self) }
}

extension PushResult {
  /// Whether no worker had its chunk before: while the session lasts, nobody else can have written a
  /// result of its push.
  fileprivate var isOfFirstClaim: Bool { push.chunk.claim?.isFirst == true }
}

extension [PushResult] {
  /// In order, those of each chunk together, with the range of their sequence numbers.
  fileprivate var byChunk: [(range: ClosedRange<UInt64>, results: [PushResult])] {
    let sorted = sorted { $0.push.sequence < $1.push.sequence }
    var groups: [(range: ClosedRange<UInt64>, results: [PushResult])] = []
    for result in sorted {
      let sequence = result.push.sequence
      if let last = groups.last?.results.last, last.push.chunk === result.push.chunk {
        groups[groups.count - 1].range = groups[groups.count - 1].range.lowerBound...sequence
        groups[groups.count - 1].results.append(result)
      } else {
        groups.append((sequence...sequence, [result]))
      }
    }
    return groups
  }
}

extension Statement {
  /// Binds how many there are of each outcome, in the order of the columns.
  fileprivate func bind(_ tally: OutcomeTally) {
    bind(tally.accepted, at: 1)
    bind(tally.rejected, at: 2)
    bind(tally.skipped, at: 3)
    bind(tally.deferred, at: 4)
    bind(tally.unknown, at: 5)
    bind(tally.notAttempted, at: 6)
  }
}
