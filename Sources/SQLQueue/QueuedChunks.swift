public import APNS
public import PushModel
internal import SQLHistory

/// The recipients of a run in the queue, as claimed by one worker.
///
/// It ends when no chunk is free and it does not wait for one, when it is told to stop, and when
/// the session's lease is over. A chunk with nothing left to do is only entered in
/// ``WorkerSession/chunks``: the ledger's next commit returns it.
public struct QueuedChunks: PushSource, ~Copyable {
  /// The behavior while no chunk is free, but one may be soon: other workers hold some and may die,
  /// or a process is reading the lists into the queue.
  public enum Idling: Sendable {
    /// It ends.
    case ends
    /// It waits.
    case waits
    /// It waits, but ends if the worker can take up a run that is not among these.
    case waitsUnlessNeeded(elsewhereThan: Set<RunNumber>)
  }

  /// The number of chunks claimed at a time.
  private static let claimSize = 4
  /// The number of pushes marked at a time if as few as possible may be in doubt after a kill.
  private static let smallPart = 16
  /// The interval at which the rest of the queue is counted, in nanoseconds.
  private static let restInterval: UInt64 = 5_000_000_000

  /// The counts of what was passed on, with one push per line.
  public private(set) var counts = RecipientCounts()

  private let session: WorkerSession
  private let record: RunRecord
  private let partSize: Int
  private let idling: Idling
  private let isStopping: @Sendable () -> Bool
  private var rendering: (any RowRendering)?
  private var claims: ChunkClaims
  /// The chunks that are claimed and not begun.
  private var waiting: [HeldChunk] = []
  private var current: OpenChunk?
  private var rest: (count: Int, countedAt: UInt64)?

  /// Creates a source for the run of a session.
  ///
  /// - Parameters:
  ///   - record: the stored properties of the run.
  ///   - rendering: renders each recipient's payload; nil if all get the same.
  ///   - location: the history's address.
  ///   - rate: the rate of pushes over all workers; nil for no limit.
  ///   - saved: the answers that sessions of this machine could not write to the database.
  ///   - idling: the behavior while no chunk is free.
  ///   - isStopping: returns true if no more recipients are wanted.
  public init(
    _ session: WorkerSession, _ record: RunRecord, _ rendering: sending (any RowRendering)?,
    at location: String, rate: PushRate? = nil, saved: [AnswerNote] = [],
    idling: Idling = .ends, isStopping: @escaping @Sendable () -> Bool
  ) throws(HistoryError) {
    claims = try ChunkClaims(session, at: location, saved)
    self.idling = idling
    (self.session, self.record, self.rendering) = (session, record, rendering)
    self.isStopping = isStopping
    let isSlow = record.atMostOnce || rate?.isLow == true
    partSize = isSlow ? Self.smallPart : PushChunk.capacity
  }

  /// The extent in pushes. The rest is an estimate of this worker's share of the queue.
  public var extent: ListExtent {
    let held = waiting.reduce(current?.left ?? 0) { $0 + $1.recipients.count }
    let rest = held + (rest?.count ?? 0) / session.liveWorkers
    return ListExtent(read: Int64(counts.lines), size: Int64(counts.lines + rest))
  }

  /// Returns the next part of a chunk; nil if there is none and it does not wait for one.
  public mutating func next() -> PushChunk? {
    while !isOver {
      do throws(HistoryError) {
        try claims.reconnect()
        if let part = try nextPart() { return part }
        if try claim() { continue }
        guard try isWorthWaiting() else { return nil }
        pause(500)
      } catch {
        guard waits(after: error) else { return nil }
      }
    }
    return nil
  }

  private var isOver: Bool {
    isStopping() || session.isLost || session.lease.hasEnded(now: session.clock.monotonic())
  }

  /// - Returns: false if there is nothing to get, or it must not be tried again.
  private func waits(after error: HistoryError) -> Bool {
    guard error.mayPassInRun else {
      session.fail(error)
      return false
    }
    pause(1000)
    return true
  }

  private func pause(_ milliseconds: Int) {
    for _ in 0..<milliseconds / 100 where !isOver { session.clock.pause(100) }
  }

  private func isWorthWaiting() throws(HistoryError) -> Bool {
    // Only the end of this source is certain to return complete chunks, for which others may wait.
    guard session.chunks.complete.isEmpty else { return false }
    switch idling {
    case .ends: return false
    case .waits: return try claims.mayGetMore()
    case .waitsUnlessNeeded(let runs):
      if try !claims.mayGetMore() { return false }
      return try claims.claimableRuns().isSubset(of: runs.union([session.run]))
    }
  }

  /// - Returns: false if there is nothing to claim, or the session has ended.
  private mutating func claim() throws(HistoryError) -> Bool {
    waiting = try claims.claim(Self.claimSize)
    if waiting.isEmpty, try claims.buryLostWorkers() {
      waiting = try claims.claim(Self.claimSize)
    }
    let now = session.clock.monotonic()
    if rest.map({ now >= $0.countedAt + Self.restInterval }) ?? true {
      rest = (try claims.countFree(), now)
    }
    return !waiting.isEmpty
  }

  private mutating func nextPart() throws(HistoryError) -> PushChunk? {
    while current != nil || !waiting.isEmpty {
      var chunk = if let current { current } else { try open(waiting[0]) }
      guard let part = chunk.nextPart(of: partSize) else {
        current = nil
        continue
      }
      guard let pushes = chunk.pushes(part, &rendering) else {
        throw HistoryError.corrupt(path: claims.server)
      }
      guard
        try claims.mark(
          chunk.held, upTo: pushes.lastSequence, again: chunk.sentAgain(part))
      else {
        session.lose()
        return nil
      }
      counts.lines += chunk.finish(part)
      current = chunk
      return pushes
    }
    return nil
  }

  /// Determines what is left of a chunk, and begins it.
  private mutating func open(_ held: HeldChunk) throws(HistoryError) -> OpenChunk {
    let standings = try claims.standings(of: held, record)
    let chunk = OpenChunk(held, standings, record, now: claims.now, session.lease)
    // Before any of its pushes can have a result.
    session.chunks.add(
      held.first, mark: held.mark, results: chunk.open, due: chunk.nextDue)
    waiting.removeFirst()
    current = chunk
    return chunk
  }
}

/// A chunk that is passed on in parts.
private struct OpenChunk {
  let held: HeldChunk
  let claim: ChunkClaim
  private let standings: [PushState]
  /// The step for each push, at the time the chunk was begun.
  private let steps: [ResumeStep]
  /// The place of the first push that has not been passed on.
  private var next = 0

  init(
    _ held: HeldChunk, _ standings: [PushState], _ record: RunRecord, now: Int64,
    _ lease: any SendingLease
  ) {
    self.held = held
    self.standings = standings
    steps = standings.map { record.step(for: $0, horizon: now, now: now) }
    claim = ChunkClaim(chunk: held.first, isFirst: held.mark == 0, lease: lease)
  }

  /// The number of pushes that get a result.
  var open: Int { steps.count { $0 != .leave } }

  /// The number of pushes that may still be passed on.
  var left: Int { steps.count - next }

  /// The time at which the first deferred push is due, among those not yet due.
  var nextDue: Int64? {
    zip(standings, steps).compactMap { standing, step in
      if case .deferred(let due) = standing, step == .leave { due } else { nil }
    }.min()
  }

  /// Returns the places of the next part with something left to do.
  func nextPart(of size: Int) -> Range<Int>? {
    guard let start = steps[next...].firstIndex(where: { $0 != .leave }) else { return nil }
    return start..<min(start + size, steps.count)
  }

  /// Returns the pushes at these places; nil if the chunk is damaged.
  func pushes(_ part: Range<Int>, _ rendering: inout (any RowRendering)?) -> PushChunk? {
    let pushes = held.recipients.part(
      from: held.first + UInt64(part.lowerBound), most: part.count, claim, &rendering)
    let isPlain = steps[part].allSatisfy { $0 == .send } && claim.isFirst
    return isPlain ? pushes : pushes?.taking(Array(steps[part]), from: Array(standings[part]))
  }

  /// Returns the pushes of a part that are sent again and have a result.
  func sentAgain(_ part: Range<Int>) -> [UInt64] {
    if claim.isFirst { return [] }
    return part.filter { steps[$0].sends && standings[$0] != .unclaimed }
      .map { held.first + UInt64($0) }
  }

  /// Records that a part was passed on.
  ///
  /// - Returns: the number of its pushes that get a result.
  mutating func finish(_ part: Range<Int>) -> Int {
    next = part.upperBound
    return steps[part].count { $0 != .leave }
  }
}

extension ResumeStep {
  fileprivate var sends: Bool { self == .send || self == .sendInDoubt }
}
