internal import APNS
internal import HTTP2

/// A push that is to be sent, and what was tried already.
struct PendingPush {
  let push: Push
  var attempts = 0
  var resends = 0
  var isInDoubt = false
  var wasResentInDoubt = false
  var wasRenewed = false
}

/// The pushes that one connection is to send next: those that come again before new ones, and among
/// them who has waited longest, so that bad luck is shared.
struct Backlog {
  private var again: [PendingPush] = []
  private var nextAgain = 0
  private var chunk: PushChunk?
  private var next = 0

  /// Whether the chunk at hand is used up and nothing waits to be sent again.
  var isEmpty: Bool { again.isEmpty && chunk == nil }

  mutating func add(_ chunk: PushChunk) {
    self.chunk = chunk
    next = 0
  }

  mutating func add(again push: PendingPush) { again.append(push) }

  mutating func take() -> PendingPush? {
    if let push = takeAgain() { return push }
    guard let chunk else { return nil }
    let push = PendingPush(push: chunk.push(at: next))
    next += 1
    if next == chunk.count { self.chunk = nil }
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
