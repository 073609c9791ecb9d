internal import PushModel
internal import SQLHistory

/// Writes the commits of a worker's session, within the caller's transaction.
///
/// Locks are always taken in the same order, so that workers cannot deadlock: the session's row,
/// the words, the run's row of `progress`.
struct WorkerWriter: ~Copyable {
  /// Results that arrived together.
  struct Batch {
    var results: PushResults
    /// The time in milliseconds since 1970 UTC by this machine's clock.
    var time: Int64
    /// The time of arrival, in nanoseconds of the monotonic clock.
    var since: UInt64
  }

  /// The effects of a transaction, once it has taken effect.
  struct Outcomes {
    var chunks: [UInt64: ClaimedChunks.Entry] = [:]
    /// True if the session had already ended, and its chunks were free or belonged to others.
    var isLost = false
    /// True if the session has returned all its chunks.
    var isLast = false
    /// True if the transaction ended the run.
    var endsRun = false
    /// The time at which the first push that it left is due, in milliseconds by the server's clock.
    var nextDue: Int64?
  }

  /// The wait before a push is sent again of which no attempt was answered, in milliseconds.
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
  /// The time by the server's clock.
  private var serverTime: Int64 = 0

  init(
    _ session: WorkerSession, _ record: RunRecord, on database: borrowing Database
  ) throws(HistoryError) {
    // Created first: a noncopyable value cannot be partly initialized.
    let fence = try Statement(
      """
      UPDATE workers SET \(Self.additions), stamp = ? WHERE id = \(session.number)
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

  /// Stores the payloads rendered for recipients from now on.
  mutating func keepPayloads(in database: borrowing Database) throws(HistoryError) {
    writer.payloads = try PayloadWriter(session.run, on: database)
  }

  /// Writes results, and returns chunks that need no more of them.
  ///
  /// - Parameters:
  ///   - own: the results by outcome.
  ///   - stamp: the commit's stamp.
  ///   - now: the time by the monotonic clock.
  ///   - isLast: true if the session sends no more; it then returns all its chunks.
  mutating func write(
    _ batches: ArraySlice<Batch>, _ own: OutcomeTally, stamp: Int64, now: UInt64, isLast: Bool,
    in database: borrowing Database
  ) throws(HistoryError) -> Outcomes {
    (changes, done) = (OutcomeTally(), Outcomes(isLast: isLast))
    try takeFence(own, stamp)
    for batch in batches { try writeNew(batch, now: now) }
    try writeOld(batches, now: now, in: database)
    try giveBack(in: database)
    try writer.flush()
    // From here to COMMIT the workers of a run take turns, so that its commits are numbered in
    // order.
    progress.bind(changes, from: 1)
    try progress.run()
    let first = session.run.rows.lowerBound
    var last = try database.lastCommit(of: session.run) ?? first
    try writer.endCommit(after: &last)
    done.endsRun = try database.endIfDone(session.run)
    return done
  }

  /// Forgets what a rolled-back transaction may have inserted.
  mutating func forget() {
    writer.forget()
    others.forget()
  }

  /// Locks the session's row, so that no other worker can take its chunks during the transaction.
  private mutating func takeFence(_ own: OutcomeTally, _ stamp: Int64) throws(HistoryError) {
    fence.bind(own, from: 1)
    fence.bind(stamp, at: 7)
    guard try fence.step() else { throw HistoryError.noSuchRun(session.run) }
    defer { fence.reset() }
    done.isLost = !fence.isNull(0)
    serverTime = try fence.time(1)
    // The current owners of the chunks may be sending these pushes again, unless the run sends at
    // most once.
    writer.lateSession = done.isLost && !record.atMostOnce ? session.number : nil
  }
}

// Results.
extension WorkerWriter {
  private mutating func writeNew(_ batch: Batch, now: UInt64) throws(HistoryError) {
    if done.isLost { return }
    let (results, age) = (batch.results, batch.age(at: now))
    for part in results.parts {
      if let chunk = part.chunk, chunk.claim?.isFirst == true,
        try writer.writeAccepted(part, of: results, into: &changes)
      {
        countAccepted(results.accepted[part.places], of: chunk)
        continue
      }
      for result in results.results(of: part) where result.isOfFirstClaim {
        try writer.write(result, over: nil, at: time(of: result, batch.time, age), into: &changes)
        count(result, as: result.outcome, age)
      }
    }
  }

  private mutating func countAccepted(_ pushes: ArraySlice<AcceptedPush>, of chunk: PushChunk) {
    guard let first = chunk.claim?.chunk,
      var entry = done.chunks[first] ?? session.chunks[first]
    else { return }
    for push in pushes { entry.take(chunk.sequence(at: push.index), due: nil) }
    done.chunks[first] = entry
  }

  /// Writes results of pushes for which others may have written results.
  private mutating func writeOld(
    _ batches: ArraySlice<Batch>, now: UInt64, in database: borrowing Database
  ) throws(HistoryError) {
    let isLost = done.isLost
    let rest = batches.map { ($0, isLost ? Array($0.results) : $0.results.ofLaterClaims) }
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
      // Its attempts are recorded with the other result.
      (earlier.attempts, earlier.wasResent) = (0, true)
      try writer.write(result, over: earlier, at: time, into: &changes)
      count(result, as: result.outcome, age, deferrals: earlier.deferrals)
    case .yields(let earlier):
      try others.keep(result, at: time)
      let sequence = result.push.sequence
      if earlier.claimedBy == session.number { try others.release(sequence...sequence) }
      // The push was due, and still is.
      let isStillDue = result.outcome == .notAttempted && !earlier.outcome.isLast
      count(
        result, as: isStillDue ? .notAttempted : earlier.outcome, age,
        deferrals: earlier.deferrals - 1)
    }
  }

  /// - Parameters:
  ///   - age: the age of the result, in milliseconds.
  ///   - deferrals: the number of earlier deferrals.
  private mutating func count(
    _ result: PushResult, as outcome: Outcome, _ age: Int64, deferrals: Int64 = 0
  ) {
    guard !done.isLost, let chunk = result.push.chunk.claim?.chunk,
      var entry = done.chunks[chunk] ?? session.chunks[chunk]
    else { return }
    entry.take(result.push.sequence, due: due(outcome, age, deferrals: deferrals + 1))
    done.chunks[chunk] = entry
  }

  /// Returns the time to store for a result. The wait of a deferred push begins at its deferral, by
  /// a clock that is the same for all workers.
  private func time(of result: PushResult, _ now: Int64, _ age: Int64) -> Int64 {
    result.outcome == .deferred ? serverTime - age : result.answeredAt ?? now
  }

  /// Returns the time at which a push is due. This machine's clock may be wrong, so only elapsed
  /// time is taken from it.
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
    // Chunks that were claimed without this session learning of it.
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
    // Pushes that the session has not passed on were not sent: the mark can be lowered, and results
    // of earlier workers are still valid.
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
  /// Returns the age of the results, in milliseconds.
  fileprivate func age(at now: UInt64) -> Int64 {
    Int64(clamping: (now > since ? now - since : 0) / 1_000_000)
  }
}

extension Outcome {
  /// True if a push with this outcome is never sent again.
  fileprivate var isLast: Bool { [.accepted, .rejected, .skipped].contains(self) }
}

extension PushResult {
  /// True if no worker had its chunk before. While the session lasts, no other worker can have
  /// written a result of its push.
  fileprivate var isOfFirstClaim: Bool { push.chunk.claim?.isFirst == true }
}

extension PushResults {
  /// The results of pushes whose chunk some worker had before.
  fileprivate var ofLaterClaims: [PushResult] {
    parts.flatMap { part in
      part.chunk?.claim?.isFirst == true ? [] : results(of: part).filter { !$0.isOfFirstClaim }
    }
  }
}

extension [PushResult] {
  /// The results in order, grouped by chunk, with the range of their sequence numbers.
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
