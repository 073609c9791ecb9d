internal import APNS
internal import HTTP2
internal import PushModel

/// The pushes that one connection sends next: resends before new pushes, and among resends the one
/// that has waited longest, so that delays are shared. Pushes that must wait are kept apart.
struct Backlog {
  /// The most pushes that may wait: each of them keeps its chunk in memory.
  static let waitingLimit = 100_000

  private var again: [PendingPush] = []
  private var nextAgain = 0
  private var chunk: PushChunk?
  /// All recipients of the chunk are sent to, the usual case.
  private var isWhole = false
  private var next = 0
  /// Times are in nanoseconds of the monotonic clock.
  private var waiting = Timetable<UInt64, (push: PendingPush, due: UInt64)>()
  /// The leases of all pushes added so far; empty in a run that a single process sends.
  private var leases: [any SendingLease] = []

  /// Nothing is left to send, now or later.
  var isEmpty: Bool { !isReady && waiting.isEmpty }

  /// Pushes that were never sent are among those that can be sent now.
  var hasFresh: Bool { chunk != nil }

  /// Something can be sent now.
  var isReady: Bool { nextAgain < again.count || chunk != nil }

  /// The time at which the first waiting push is due; nil when none waits.
  var nextDue: UInt64? { waiting.nextDue }

  /// The number of pushes that wait.
  var waitingCount: Int { waiting.count }

  /// Some pushes may be sent only while a lease lasts.
  var dependsOnLease: Bool { !leases.isEmpty && !isEmpty }

  /// Adds the next recipients. Skips those that are not sent to; the caller records them.
  mutating func add(_ chunk: PushChunk) {
    noteLease(of: chunk)
    (self.chunk, isWhole, next) = (chunk, chunk.isWhole, 0)
    passOverUnsent(in: chunk)
  }

  private mutating func passOverUnsent(in chunk: PushChunk) {
    if !isWhole { while next < chunk.count, !chunk.isSent(at: next) { next += 1 } }
    if next == chunk.count { self.chunk = nil }
  }

  private mutating func noteLease(of chunk: PushChunk) {
    guard let lease = chunk.claim?.lease, !leases.contains(where: { $0 === lease }) else { return }
    leases.append(lease)
  }

  mutating func add(again push: PendingPush) {
    noteLease(of: push.push.chunk)
    again.append(push)
  }

  /// Keeps a push until it is due.
  ///
  /// - Returns: false when too many wait already.
  mutating func add(_ push: PendingPush, dueAt due: UInt64) -> Bool {
    guard waiting.count < Self.waitingLimit else { return false }
    noteLease(of: push.push.chunk)
    waiting.add((push, due), due: due)
    return true
  }

  /// Makes the pushes that are due ready to send.
  mutating func wakeUp(now: UInt64) {
    while let row = waiting.takeDue(by: now) { again.append(row.push) }
  }

  /// Removes the pushes whose lease has ended, including those that wait.
  mutating func takeUnleased(now: UInt64) -> [PendingPush] {
    // Check each lease once: it may be renewed meanwhile.
    let ended = leases.filter { $0.hasEnded(now: now) }
    if ended.isEmpty { return [] }
    func isLeased(_ push: PendingPush) -> Bool {
      !ended.contains { $0 === push.push.chunk.claim?.lease }
    }
    var unleased: [PendingPush] = []
    var others = Backlog()
    while let push = take() {
      if isLeased(push) { others.add(again: push) } else { unleased.append(push) }
    }
    while let row = waiting.takeDue(by: .max) {
      if isLeased(row.push) {
        _ = others.add(row.push, dueAt: row.due)
      } else {
        unleased.append(row.push)
      }
    }
    self = others
    return unleased
  }

  /// Removes the rest of the recipients that were never sent to.
  mutating func takeRest() -> PushChunk? {
    defer { chunk = nil }
    return chunk?.rest(from: next)
  }

  /// - Parameter isFreshFirst: a push that was not sent yet comes before resends, which may have been
  ///   silent.
  mutating func take(isFreshFirst: Bool = false) -> PendingPush? {
    if !(isFreshFirst && hasFresh), let push = takeAgain() { return push }
    guard let chunk else { return nil }
    var push = PendingPush(push: chunk.push(at: next))
    if !isWhole { push.trials.isInDoubt = chunk.step(at: next) == .sendInDoubt }
    next += 1
    passOverUnsent(in: chunk)
    return push
  }

  private mutating func takeAgain() -> PendingPush? {
    guard nextAgain < again.count else { return nil }
    let push = again[nextAgain]
    nextAgain += 1
    if nextAgain == again.count {
      again.removeAll(keepingCapacity: true)
      nextAgain = 0
    }
    return push
  }
}

/// A push to be sent, and its attempts so far.
struct PendingPush {
  /// The history of attempts at a push.
  struct Trials: Equatable {
    /// The number of requests made.
    var attempts = 0
    /// The number of immediate resends.
    var resends = 0
    /// The number of resends after APNs asked to come back later.
    var retries = 0
    /// The number of times that its device token was getting too many pushes.
    var slowTries = 0
    /// An earlier attempt may have been processed.
    var isInDoubt = false
    /// It was sent again while in doubt.
    var wasResentInDoubt = false
    /// It was sent again to use a new provider token.
    var wasRenewed = false
    /// An earlier attempt got no answer in time.
    var wasSilent = false

    /// No request was made before the one in flight, neither in this pass nor perhaps in another.
    var isFirst: Bool { attempts == 0 && !wasResentInDoubt }
  }

  /// An answer, its latency and its arrival time.
  struct Answer: Sendable {
    let response: Response
    let latencyMicroseconds: Int
    let answeredAt: Int64
  }

  let push: Push
  var trials = Trials()

  init(push: Push) { self.push = push }
}
