internal import POSIX
public import PushModel
internal import SQLHistory

/// Puts the recipients of a run into the queue, from which workers may take them while it goes on. It
/// belongs to one thread at a time.
///
/// A run whose sender has gone stays as it is until ``resume(_:at:)``, which skips what is written.
/// When the connection is lost, it is made again for a while. After an error recipients are neither
/// lost nor written twice: the next call tries again.
public final class Enqueuing {
  /// The number of the run.
  public let run: RunNumber

  /// What is kept of the run.
  public let record: RunRecord

  /// Pushes up to this number are in the queue, or have left it.
  public private(set) var written: UInt64

  /// How long recipients wait for others, to be written with them.
  var longestWait = Duration.milliseconds(500)
  /// How long to try again when the database is away, or somebody keeps its rows locked.
  var patience = Duration.seconds(30)

  /// How many chunks are written at once, and about how many bytes.
  private static let batch = (chunks: 64, size: 8 << 20)

  private let database: Database
  private var lease: (any RunLease)?
  private var counts: RecipientCounts
  private var gathering: RecipientGathering?
  private var waiting: [QueuedChunk] = []
  private var waitingSize = 0
  /// The last push that was added.
  private var last: UInt64
  private var lastWrite = ContinuousClock.now
  private var isSealed = false
  /// Whether workers had finished all when the list ended.
  private var hasEndedRun = false
  /// The transaction that has failed: it may have taken effect.
  private var unanswered: Attempt?

  /// What a transaction writes.
  private struct Attempt {
    var last: UInt64
    /// How many of those that wait.
    var chunks: Int
    var isSealing: Bool
  }

  private init(
    _ run: RunNumber, _ record: RunRecord, _ lease: any RunLease,
    from place: EnqueuedPlace = EnqueuedPlace(), _ database: consuming Database
  ) {
    (self.run, self.record, self.lease) = (run, record, lease)
    (written, last, counts) = (place.written, place.written, place.counts)
    self.database = database
  }

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - record: what to keep of it.
  ///   - credentials: which key or certificate a worker needs for it.
  ///   - location: the history's URL.
  /// - Throws: `HistoryError`: among others `noQueue` for the path of a file.
  public static func begin(
    _ record: RunRecord, credentials: String, at location: String
  ) throws(HistoryError) -> Enqueuing {
    try checkQueue(location)
    let database = try Database.open(location)
    let (run, lease) = try database.transaction { () throws(HistoryError) in
      let run = try record.insert(.enqueuing, into: database)
      // Taken before anybody can see the run.
      let lease = try database.driver.takeLease(of: run, at: location)
      try database.insertQueued(run, credentials)
      return (run, lease)
    }
    return Enqueuing(run, record, lease, database)
  }

  /// Goes on with a run whose sender has gone. Its lists are to be read again from their beginning.
  ///
  /// - Throws: `HistoryError`: among others `owned` while its sender lives, `noSuchRun`, and
  ///   `nothingToResume` when it is not being enqueued.
  public static func resume(
    _ run: RunNumber, at location: String
  ) throws(HistoryError) -> Enqueuing {
    try checkQueue(location)
    let database = try Database.openExisting(location)
    guard let record = try RunRecord.read(run, from: database) else {
      throw HistoryError.noSuchRun(run)
    }
    let lease = try database.driver.takeLease(of: run, at: location)
    guard let place = try database.enqueuedPlace(of: run), place.state == .enqueuing else {
      throw HistoryError.nothingToResume(run)
    }
    return Enqueuing(run, record, lease, from: place, database)
  }

  private static func checkQueue(_ location: String) throws(HistoryError) {
    if !HistoryLocation(location).hasQueue { throw HistoryError.noQueue(path: location) }
  }

  /// Adds recipients, but those that are written already. Their payloads have to be values as
  /// `ValueRows` encodes them.
  ///
  /// - Parameter counts: what became of the lists' lines up to the last of them.
  public func add(_ chunk: PushChunk, counts: RecipientCounts) throws(HistoryError) {
    precondition(!isSealed && chunk.firstSequence <= last + 1, "no push is left out")
    precondition(chunk.lastSequence <= RunNumber.lastSequence, "a run has fewer than 2^40 pushes")
    for push in chunk.pushes.dropFirst(Int(last + 1 - chunk.firstSequence)) { gather(push) }
    self.counts = self.counts.furthest(counts)
    let isMuch = waiting.count >= Self.batch.chunks || waitingSize >= Self.batch.size
    if isMuch || ContinuousClock.now - lastWrite >= longestWait { try flush() }
  }

  /// Writes all that was added: a list that is a pipe may pause.
  public func flush() throws(HistoryError) {
    endChunk()
    try persist(sealing: false)
  }

  /// Ends the list: the run ends with the last of its pushes, and has ended if there is none left.
  ///
  /// - Parameter counts: what became of all lines.
  public func seal(counts: RecipientCounts) throws(HistoryError) {
    endChunk()
    self.counts = self.counts.furthest(counts)
    try persist(sealing: true)
    // Without it tokens are found as well, only more slowly.
    if hasEndedRun { try? TokenIndex(of: run).build(in: database) }
    lease = nil
  }

  private func gather(_ push: Push) {
    if gathering?.takes(push.chunk) == false { endChunk() }
    if gathering == nil { gathering = RecipientGathering(at: push) }
    gathering?.append(push)
    last = push.sequence
  }

  private func endChunk() {
    guard let gathered = gathering.take() else { return }
    let chunk = QueuedChunk(
      row: run.row(of: gathered.firstSequence), count: gathered.count, value: gathered.encoded)
    waiting.append(chunk)
    waitingSize += chunk.value.count
  }
}

// Writing.
extension Enqueuing {
  /// Writes all that waits, and tries again as long as the database is away.
  ///
  /// - Throws: why it could not be written at first, when patience has ended.
  private func persist(sealing: Bool) throws(HistoryError) {
    let start = ContinuousClock.now
    var first: HistoryError?
    while true {
      do throws(HistoryError) {
        try settleUnanswered()
        if !waiting.isEmpty || sealing && !isSealed { try write(sealing: sealing) }
        return
      } catch {
        guard error.mayPass else { throw error }
        guard ContinuousClock.now - start < patience else { throw first ?? error }
        // Mostly one connection broke, and the server is there.
        if first != nil { usleep(250_000) }
        first = first ?? error
      }
    }
  }

  private func write(sealing: Bool) throws(HistoryError) {
    let attempt = Attempt(last: last, chunks: waiting.count, isSealing: sealing)
    unanswered = attempt
    try database.transaction { () throws(HistoryError) in
      try database.copy(waiting)
      // Workers wait for this row.
      try writeProgress(sealing: sealing)
      try database.execute("UPDATE queued_runs SET written = \(last) WHERE run = \(run)")
      guard database.changes == 1 else { throw HistoryError.noSuchRun(run) }
      if sealing { try sealOrEnd() }
    }
    settle(attempt)
  }

  private func settle(_ attempt: Attempt) {
    (written, isSealed, unanswered) = (attempt.last, attempt.isSealing, nil)
    waiting.removeFirst(attempt.chunks)
    waitingSize = waiting.reduce(0) { $0 + $1.value.count }
    lastWrite = .now
  }

  /// Finds out whether a transaction took effect that was not answered. The server has ended it by now,
  /// or the lease would not be free.
  ///
  /// - Throws: `owned` when another process has gone on with the run meanwhile.
  private func settleUnanswered() throws(HistoryError) {
    guard let attempt = unanswered else { return }
    try database.driver.reconnect()
    try lease?.renew()
    guard let place = try database.enqueuedPlace(of: run) else { throw HistoryError.noSuchRun(run) }
    let isSealed = place.state != .enqueuing
    if place.written == attempt.last, isSealed == attempt.isSealing {
      settle(attempt)
    } else if place.written == written, !isSealed {
      unanswered = nil
    } else {
      throw HistoryError.owned(run: run, pid: nil, host: nil)
    }
  }

  private func writeProgress(sealing: Bool) throws(HistoryError) {
    let statement = try Statement(
      """
      UPDATE progress SET last = ?, lines = ?, bad_lines = ?, duplicates = ?, suppressed = ?,
        other_shards = ? WHERE run = ?
      """, on: database)
    statement.bind(sealing ? Int64(last) : nil, at: 1)
    statement.bind(counts.lines, at: 2)
    statement.bind(counts.badLines, at: 3)
    statement.bind(counts.duplicates, at: 4)
    statement.bind(counts.suppressed, at: 5)
    statement.bind(counts.otherShards, at: 6)
    statement.bind(run.rawValue, at: 7)
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

/// How far a run is in the queue.
private struct EnqueuedPlace {
  var state: RunState?
  var written: UInt64 = 0
  var counts = RecipientCounts()
}

extension Database {
  fileprivate func insertQueued(
    _ run: RunNumber, _ credentials: String
  ) throws(HistoryError) {
    let statement = try Statement(
      "INSERT INTO queued_runs (run, credentials) VALUES (?, ?)", on: self)
    statement.bind(run.rawValue, at: 1)
    statement.bind(credentials, at: 2)
    try statement.run()
  }

  /// Nil for a run that was never in the queue.
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

  fileprivate func copy(_ chunks: [QueuedChunk]) throws(HistoryError) {
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
