internal import APNS
internal import HTTP2
internal import PushModel

/// The pushes that one connection is to send next: those that come again before new ones, and among
/// them who has waited longest, so that bad luck is shared. Pushes that have to wait are kept aside.
struct Backlog {
  /// The most pushes that may wait: each of them keeps its chunk in memory.
  static let waitingLimit = 100_000

  private var again: [PendingPush] = []
  private var nextAgain = 0
  private var chunk: PushChunk?
  private var next = 0
  /// Times are in nanoseconds of the monotonic clock.
  private var waiting = Timetable<UInt64, PendingPush>()

  /// Whether nothing is left, nor waits.
  var isEmpty: Bool { !isReady && waiting.isEmpty }

  /// Whether something can be sent now.
  var isReady: Bool { nextAgain < again.count || chunk != nil }

  /// When the first waiting push is due; nil when none waits.
  var nextDue: UInt64? { waiting.nextDue }

  /// Adds the next recipients. Those that are not sent to are passed over: whoever adds them
  /// records them.
  mutating func add(_ chunk: PushChunk) {
    self.chunk = chunk
    next = 0
    passOverUnsent()
  }

  private mutating func passOverUnsent() {
    guard let chunk else { return }
    while next < chunk.count, !chunk.isSent(at: next) { next += 1 }
    if next == chunk.count { self.chunk = nil }
  }

  mutating func add(again push: PendingPush) { again.append(push) }

  /// Keeps a push until it is due.
  ///
  /// - Returns: false when too many wait already.
  mutating func add(_ push: PendingPush, dueAt due: UInt64) -> Bool {
    guard waiting.count < Self.waitingLimit else { return false }
    waiting.add(push, due: due)
    return true
  }

  /// Moves the pushes that are due to those that can be sent.
  mutating func wakeUp(now: UInt64) {
    while let push = waiting.takeDue(by: now) { again.append(push) }
  }

  mutating func take() -> PendingPush? {
    if let push = takeAgain() { return push }
    guard let chunk else { return nil }
    var push = PendingPush(push: chunk.push(at: next))
    push.trials.isInDoubt = chunk.step(at: next) == .sendInDoubt
    next += 1
    passOverUnsent()
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
