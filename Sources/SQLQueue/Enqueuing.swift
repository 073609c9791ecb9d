internal import POSIX
public import PushModel
internal import SQLHistory

/// Writes the recipients of a run to the queue, from which workers can take them meanwhile. It
/// belongs to one thread at a time.
///
/// A run whose sender is gone stays unchanged until ``resume(_:at:)``, which skips recipients that
/// are already written. A lost connection is renewed for a while. After an error, recipients are
/// neither lost nor written twice: the next call tries again.
public final class Enqueuing {
  /// The number of the run.
  public let run: RunNumber

  /// The stored properties of the run.
  public let record: RunRecord

  /// The number of the last push that is in the queue or has left it.
  public private(set) var written: UInt64

  /// The time that recipients wait for others to be written with them.
  var longestWait = Duration.milliseconds(500)
  /// The most recipients in the first chunks, so that workers can share a small run.
  var smallChunk = 64
  /// The time to keep trying while the database is away, or others keep its rows locked.
  var patience = Duration.seconds(30)

  /// The number of chunks written at once, and their approximate size in bytes.
  private static let batch = (chunks: 64, size: 8 << 20)

  private let database: Database
  private var lease: (any RunLease)?
  private var counts: RecipientCounts
  private var gathering: RecipientGathering?
  private var outbox: PendingCommits<QueuedChunk, Change>
  /// The last push that was added.
  private var last: UInt64
  private var lastWrite = ContinuousClock.now
  private var isSealed = false
  /// True if workers had finished everything when the list ended.
  private var hasEndedRun = false

  /// The effects of a commit.
  private struct Change {
    var last: UInt64
    var isSealing: Bool
  }

  private init(
    _ run: RunNumber, _ record: RunRecord, _ lease: any RunLease,
    from place: EnqueuedPlace = EnqueuedPlace(), _ outbox: PendingCommits<QueuedChunk, Change>,
    _ database: consuming Database
  ) {
    (self.run, self.record, self.lease) = (run, record, lease)
    (written, last, counts) = (place.written, place.written, place.counts)
    self.outbox = outbox
    self.database = database
  }

  /// The row of a run that its commits stamp.
  private static func row(of run: RunNumber) -> String { "progress WHERE run = \(run)" }

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - record: the properties to store.
  ///   - credentials: the key or certificate that a worker needs for it.
  ///   - isUrgent: whether its chunks are claimed before those of other runs.
  ///   - location: the history's URL.
  /// - Throws: `HistoryError`: among others `noQueue` for the path of a file.
  public static func begin(
    _ record: RunRecord, credentials: String, isUrgent: Bool = false, at location: String
  ) throws(HistoryError) -> Enqueuing {
    let database = try Database.openQueue(location, isNew: true)
    let (run, lease) = try database.transaction { () throws(HistoryError) in
      let run = try record.insert(.enqueuing, into: database)
      // Taken before others can see the run.
      let lease = try database.driver.takeLease(of: run)
      try database.insertQueued(run, credentials, isUrgent: isUrgent)
      return (run, lease)
    }
    return Enqueuing(
      run, record, lease, PendingCommits(of: run, stamping: row(of: run)), database)
  }

  /// Continues a run whose sender is gone. Its lists must be read again from the beginning.
  ///
  /// - Throws: `HistoryError`: among others `owned` while its sender lives, `noSuchRun`, and
  ///   `nothingToResume` if it is not being enqueued.
  public static func resume(
    _ run: RunNumber, at location: String
  ) throws(HistoryError) -> Enqueuing {
    let database = try Database.openQueue(location)
    guard let record = try RunRecord.read(run, from: database) else {
      throw HistoryError.noSuchRun(run)
    }
    let lease = try database.driver.takeLease(of: run)
    guard let place = try database.enqueuedPlace(of: run), place.state == .enqueuing else {
      throw HistoryError.nothingToResume(run)
    }
    let outbox = try PendingCommits<QueuedChunk, Change>(
      of: run, continuing: row(of: run), in: database)
    return Enqueuing(run, record, lease, from: place, outbox, database)
  }

  /// Adds recipients, except those that are already written. Their payloads must be values encoded
  /// by `ValueRows`.
  ///
  /// - Parameter counts: the counts of list lines up to the last of them.
  public func add(_ chunk: PushChunk, counts: RecipientCounts) throws(HistoryError) {
    precondition(!isSealed && chunk.firstSequence <= last + 1, "no push is left out")
    precondition(chunk.lastSequence <= RunNumber.lastSequence, "a run has fewer than 2^40 pushes")
    for push in chunk.pushes.dropFirst(Int(last + 1 - chunk.firstSequence)) { gather(push) }
    self.counts = self.counts.furthest(counts)
    let isMuch = outbox.items.count >= Self.batch.chunks || outbox.size >= Self.batch.size
    if isMuch || ContinuousClock.now - lastWrite >= longestWait { try flush() }
  }

  /// Writes everything that was added, because a list that is a pipe may pause.
  public func flush() throws(HistoryError) {
    endChunk()
    try persist(sealing: false)
  }

  /// Ends the list. The run ends with the last of its pushes, or at once if none is left.
  ///
  /// - Parameter counts: the counts of all list lines.
  public func seal(counts: RecipientCounts) throws(HistoryError) {
    endChunk()
    self.counts = self.counts.furthest(counts)
    try persist(sealing: true)
    // Tokens are found without an index too, only more slowly.
    if hasEndedRun { try? TokenIndex(of: run).build(in: database) }
    lease = nil
  }

  private func gather(_ push: Push) {
    if let gathering, !gathering.takes(push.chunk) || gathering.count >= mostInChunk {
      endChunk()
    }
    if gathering == nil { gathering = RecipientGathering(at: push) }
    gathering?.append(push)
    last = push.sequence
  }

  /// The most recipients in the current chunk: the further in the run it begins, the more.
  private var mostInChunk: Int {
    max(smallChunk, Int(clamping: (gathering?.firstSequence ?? 0) / 4096) * 256)
  }

  private func endChunk() {
    guard let gathered = gathering.take() else { return }
    let chunk = QueuedChunk(
      row: run.row(of: gathered.firstSequence), count: gathered.count, value: gathered.encoded)
    outbox.add(chunk, size: chunk.value.count)
  }
}

// Writing.
extension Enqueuing {
  /// Writes everything pending, and retries while the database is away.
  ///
  /// - Throws: the first error, once the time to keep trying is over.
  private func persist(sealing: Bool) throws(HistoryError) {
    let start = ContinuousClock.now
    var first: HistoryError?
    while true {
      do throws(HistoryError) {
        if let change = try outbox.reconnect(renewing: lease, in: database) { apply(change) }
        if !outbox.items.isEmpty || sealing && !isSealed { try write(sealing: sealing) }
        return
      } catch {
        guard error.mayPass else { throw error }
        guard ContinuousClock.now - start < patience else { throw first ?? error }
        // Usually only the connection broke, and the server is up.
        if first != nil { usleep(250_000) }
        first = first ?? error
      }
    }
  }

  private func write(sealing: Bool) throws(HistoryError) {
    let change = try outbox.commit(first: outbox.items.count, in: database) {
      (chunks, stamp) throws(HistoryError) in
      try database.copy(chunks)
      // Workers wait for this row.
      try writeProgress(sealing: sealing, stamp: stamp)
      try database.execute("UPDATE queued_runs SET written = \(last) WHERE run = \(run)")
      guard database.changes == 1 else { throw HistoryError.noSuchRun(run) }
      if sealing { try sealOrEnd() }
      return Change(last: last, isSealing: sealing)
    }
    apply(change)
  }

  private func apply(_ change: Change) {
    (written, isSealed) = (change.last, change.isSealing)
    lastWrite = .now
  }

  private func writeProgress(sealing: Bool, stamp: Int64) throws(HistoryError) {
    let statement = try Statement(
      """
      UPDATE progress SET last = ?, lines = ?, bad_lines = ?, duplicates = ?, suppressed = ?,
        other_shards = ?, stamp = ? WHERE run = ?
      """, on: database)
    statement.bind(sealing ? Int64(last) : nil, at: 1)
    statement.bind(counts, from: 2)
    statement.bind(stamp, at: 7)
    statement.bind(run.rawValue, at: 8)
    try statement.run()
  }

  private func sealOrEnd() throws(HistoryError) {
    try database.execute("UPDATE runs SET state = 'enqueued' WHERE id = \(run)")
    hasEndedRun = try database.endIfDone(run)
  }
}

/// A row of `chunks`.
private struct QueuedChunk {
  var row: Int64
  var count: Int
  var value: [UInt8]
}

/// The progress of a run into the queue.
private struct EnqueuedPlace {
  var state: RunState?
  var written: UInt64 = 0
  var counts = RecipientCounts()
}

extension Database {
  fileprivate func insertQueued(
    _ run: RunNumber, _ credentials: String, isUrgent: Bool
  ) throws(HistoryError) {
    let statement = try Statement(
      "INSERT INTO queued_runs (run, credentials, is_urgent) VALUES (?, ?, ?)", on: self)
    statement.bind(run.rawValue, at: 1)
    statement.bind(credentials, at: 2)
    statement.bind(isUrgent ? 1 : 0, at: 3)
    try statement.run()
  }

  /// Reads a run's progress; nil if it was never in the queue.
  fileprivate func enqueuedPlace(of run: RunNumber) throws(HistoryError) -> EnqueuedPlace? {
    let row = try Statement(
      """
      SELECT state, written, lines, bad_lines, duplicates, suppressed, other_shards
        FROM queued_runs JOIN runs ON runs.id = run JOIN progress USING (run) WHERE run = ?
      """, on: self)
    row.bind(run.rawValue, at: 1)
    guard try row.step() else { return nil }
    defer { row.reset() }
    return EnqueuedPlace(
      state: row.text(0).flatMap { RunState(rawValue: $0) },
      written: UInt64(try row.int64(1, in: .counts)), counts: try RecipientCounts(row: row, from: 2)
    )
  }

  fileprivate func copy(_ chunks: ArraySlice<QueuedChunk>) throws(HistoryError) {
    if chunks.isEmpty { return }
    let rows = try driver.rowWriter(into: "chunks", ["id", "count", "pushes"])
    for chunk in chunks {
      try rows.add(
        chunk.row, [.int64(chunk.row), .int64(Int64(chunk.count)), .bytes(chunk.value)],
        replacing: false)
    }
    try rows.write()
  }
}
