internal import PushModel
internal import SQLHistory

/// A chunk that a worker has claimed.
struct HeldChunk {
  /// The number of its first push.
  var first: UInt64
  var recipients: QueuedRecipients
  /// The last push that an earlier worker may have sent; 0 if there is none.
  var mark: UInt64

  var last: UInt64 { first + UInt64(recipients.count) - 1 }
}

/// A worker's claims on the table of chunks, made over a separate connection.
struct ChunkClaims: ~Copyable {
  private let session: WorkerSession
  private let database: Database
  private let claiming: Statement
  private let finding: Statement
  private let marking: Statement
  private let remarking: Statement
  private let results: Statement
  /// The answers that sessions of this machine could not write.
  private let saved: [AnswerNote]
  /// True if chunks may have been claimed by a statement without an answer.
  private var isUncertain = false
  private var time = ServerTime()

  init(
    _ session: WorkerSession, at location: String, _ saved: [AnswerNote]
  ) throws(HistoryError) {
    let database = try Database.openQueue(location)
    database.driver.giveUp(when: session.clock.isOver)
    let claiming = try Statement(Self.claiming, on: database)
    let finding = try Statement(Self.finding, on: database)
    let marking = try Statement(
      "UPDATE chunks SET mark = greatest(mark, ?1) WHERE id = ?2 AND worker = ?3", on: database)
    let remarking = try Statement(
      "UPDATE results SET pass = \(session.number) WHERE \(database.dialect.idIsAmong)",
      on: database)
    let results = try Statement(
      "SELECT id, outcome, \(Deferral.due), pass FROM pushes(?1, ?2)", on: database)
    self.claiming = claiming
    self.finding = finding
    self.marking = marking
    self.remarking = remarking
    self.results = results
    self.saved = saved
    self.database = database
    self.session = session
  }

  /// The statement that claims chunks. The lock on the worker's row lasts until the claim is
  /// committed: a process that takes the worker for dead waits for that, and frees these chunks as
  /// well. The claim fails if the session has ended by then. Rows that others have locked are
  /// skipped, and rows that others have claimed since the statement began are checked again, so
  /// that no two workers claim one chunk.
  private static let claiming = """
    WITH me AS MATERIALIZED (
        SELECT workers.id FROM workers JOIN queued_runs USING (run)
          WHERE workers.id = ?1 AND \(Dialect.hasLiveLease) AND stopped IS NULL
          FOR SHARE OF workers),
      free AS MATERIALIZED (
        SELECT chunks.id FROM chunks CROSS JOIN me
          WHERE chunks.id BETWEEN ?2 AND ?3 AND worker IS NULL AND \(WorkQueue.isDue)
          ORDER BY chunks.id LIMIT ?4 FOR UPDATE OF chunks SKIP LOCKED)
    UPDATE chunks SET worker = ?1 FROM free WHERE chunks.id = free.id
      RETURNING chunks.id, count, pushes, mark, server_time()
    """

  private static let finding = """
    SELECT id, count, pushes, mark, server_time() FROM chunks WHERE worker = ?1
    """

  /// The name of the server in messages.
  var server: String { database.place }

  /// Reconnects after the connection was lost.
  func reconnect() throws(HistoryError) { try database.driver.reconnect() }

  /// The time of the server's clock, in milliseconds since 1970 UTC. This clock decides when a
  /// chunk is due, regardless of the workers' clocks.
  var now: Int64 { time.now(session.clock) }

  /// Claims up to `count` chunks that are free and due, in list order.
  mutating func claim(_ count: Int) throws(HistoryError) -> [HeldChunk] {
    if isUncertain {
      let found = try unknown()
      isUncertain = false
      if !found.isEmpty { return found }
    }
    claiming.bind(session.number, at: 1)
    claiming.bind(session.run.rows.lowerBound, at: 2)
    claiming.bind(session.run.rows.upperBound, at: 3)
    claiming.bind(count, at: 4)
    isUncertain = true
    let claimed = try claiming.readChunks(session.clock, &time)
    isUncertain = false
    return claimed
  }

  /// The chunks that the session claimed by a statement whose answer was lost.
  private mutating func unknown() throws(HistoryError) -> [HeldChunk] {
    finding.bind(session.number, at: 1)
    let chunks = session.chunks
    return try finding.readChunks(session.clock, &time).filter { chunks[$0.first] == nil }
  }

  /// Records that pushes of a chunk up to this one may have been sent. The lock on the chunk's row
  /// suffices: either freeing the chunk waits for the mark, or the mark waits and then finds that
  /// the chunk has another owner.
  ///
  /// - Parameter again: the pushes that have a result which this session's will replace. The
  ///   session's number in `pass` marks these results as possibly out of date.
  /// - Returns: false if the chunk no longer belongs to the session; nothing was then written.
  func mark(
    _ chunk: HeldChunk, upTo sequence: UInt64, again: [UInt64]
  ) throws(HistoryError) -> Bool {
    if again.isEmpty { return try mark(chunk, upTo: sequence) }
    return try database.transaction { () throws(HistoryError) in
      guard try mark(chunk, upTo: sequence) else { return false }
      remarking.bind(again.map { session.run.row(of: $0) }, at: 1)
      try remarking.run()
      return true
    }
  }

  private func mark(_ chunk: HeldChunk, upTo sequence: UInt64) throws(HistoryError) -> Bool {
    marking.bind(Int64(sequence), at: 1)
    marking.bind(session.run.row(of: chunk.first), at: 2)
    marking.bind(session.number, at: 3)
    try marking.run()
    return database.changes == 1
  }

  /// Returns the state of each push of a chunk.
  ///
  /// A result that another worker's session writes later is not included: the push is sent again,
  /// like one in doubt.
  func standings(
    of chunk: HeldChunk, _ record: RunRecord
  ) throws(HistoryError) -> [PushState] {
    var found = (chunk.first...chunk.last).map {
      $0 <= chunk.mark ? PushState.claimed : .unclaimed
    }
    if chunk.mark == 0 { return found }
    let rows = session.run.row(of: chunk.first)...session.run.row(of: chunk.last)
    results.bind(rows)
    while try results.step() {
      let row = try results.int64(0, in: rows)
      let standing = PushState(
        Outcome(code: results.int64(1)), due: record.started + (try results.time(2)),
        atMostOnce: record.atMostOnce)
      // A session that has ended may have sent it again.
      let isOpen = standing.isOpen && results.int64(3) != 0
      found[Int(row - rows.lowerBound)] = isOpen ? .claimed : standing
    }
    found.take(answersNoted(for: record), from: chunk.first)
    return found
  }

  /// The notes of the workers on this machine that died with chunks of the run, and what those saved
  /// that could not write it; the notes of one that lives will come as results. Only final answers
  /// count: others may have sent the push since.
  private func answersNoted(for record: RunRecord) -> some Sequence<AnswerNote> {
    let noted = SentFileName.ofSessions(session.run, record.identity)
      .flatMap { SentNotes(in: $0, isLeft: true)?.answers.values.map(\.self) ?? [] }
    return (saved + noted).lazy
      .filter { $0.outcome == .accepted || $0.outcome == .rejected }
  }

  /// Returns the number of the run's pushes in chunks that no worker has claimed.
  func countFree() throws(HistoryError) -> Int {
    let sum = try Statement(
      """
      SELECT CAST(coalesce(sum(count), 0) AS BIGINT) FROM chunks
        WHERE id BETWEEN ?1 AND ?2 AND worker IS NULL
      """, on: database)
    sum.bind(session.run.rows)
    return try sum.step() ? try sum.count(0) : 0
  }

  /// Returns true if chunks may become free soon: other workers hold some and may die, or a process
  /// is reading the lists into the queue.
  func mayGetMore() throws(HistoryError) -> Bool {
    let row = try Statement(
      """
      SELECT state, EXISTS (SELECT FROM workers JOIN chunks ON worker = workers.id
          WHERE run = ?1 AND workers.id <> ?2 AND ended IS NULL)
        FROM runs JOIN queued_runs ON run = runs.id WHERE runs.id = ?1 AND stopped IS NULL
      """, on: database)
    row.bind(session.run.rawValue, at: 1)
    row.bind(session.number, at: 2)
    guard try row.step() else { return false }
    let (state, areHeld) = (row.text(0), row.int64(1) != 0)
    row.reset()
    if areHeld || state != RunState.enqueuing.rawValue { return areHeld }
    return try database.driver.isLeased(session.run)
  }

  /// Returns all runs that a worker could take up now.
  func claimableRuns() throws(HistoryError) -> Set<RunNumber> {
    let rows = try Statement(
      """
      SELECT runs.id FROM runs JOIN queued_runs ON run = runs.id
        WHERE \(Dialect.isOpenInQueue) AND \(WorkQueue.hasClaimable)
      """, on: database)
    var runs: Set<RunNumber> = []
    while try rows.step() { runs.insert(try RunNumber(row: rows)) }
    return runs
  }

  /// Frees the chunks of workers whose lease has expired.
  ///
  /// - Returns: true if there were any.
  func buryLostWorkers() throws(HistoryError) -> Bool {
    try database.buryLostWorkers(of: session.run) > 0
  }
}

/// The server's clock, as of its last answer.
private struct ServerTime {
  /// The server's time, in milliseconds since 1970 UTC.
  var told: Int64 = 0
  /// The time of the answer by the worker's monotonic clock.
  var at: UInt64 = 0

  func now(_ clock: WorkerClock) -> Int64 {
    told + Int64(clock.monotonic() - at) / 1_000_000
  }
}

extension Statement {
  /// Reads the claimed chunks, in list order, and the server's time.
  fileprivate func readChunks(
    _ clock: WorkerClock, _ time: inout ServerTime
  ) throws(HistoryError) -> [HeldChunk] {
    var chunks: [HeldChunk] = []
    while try step() {
      let first = RunNumber.sequence(ofRow: int64(0))
      let (count, mark) = (try count(1), UInt64(try int64(3, in: .counts)))
      guard let recipients = QueuedRecipients([UInt8](bytes(2)), count: count),
        first > 0, first + UInt64(count) <= RunNumber.lastSequence
      else { throw corrupt }
      chunks.append(HeldChunk(first: first, recipients: recipients, mark: mark))
      time = ServerTime(told: try self.time(4), at: clock.monotonic())
    }
    return chunks.sorted { $0.first < $1.first }
  }
}

extension [PushState] {
  /// Takes answers to pushes that are in doubt.
  ///
  /// - Parameter first: the number of the first push.
  fileprivate mutating func take(_ answers: some Sequence<AnswerNote>, from first: UInt64) {
    guard contains(where: \.isInDoubt) else { return }
    for answer in answers {
      let place = Int(answer.sequence) - Int(first)
      if indices.contains(place), self[place].isInDoubt { self[place] = .answered(answer) }
    }
  }
}

extension PushState {
  fileprivate var isInDoubt: Bool { self == .claimed || self == .unknown }

  /// True if the push can certainly be sent.
  fileprivate var isOpen: Bool {
    switch self {
    case .deferred, .notAttempted: true
    case .done, .unknown, .claimed, .answered, .unclaimed: false
    }
  }
}
