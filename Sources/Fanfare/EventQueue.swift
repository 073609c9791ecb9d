internal import POSIX
internal import Synchronization

/// Hands events to an app's handler, which may be slow: on a thread of its own, which lasts as long
/// as there are any. When the handler falls behind, events are dropped and counted.
final class EventQueue: Sendable {
  /// The most events that wait.
  static let limit = 10_000

  private struct State {
    var events = Queue<PushClient.Event>()
    var dropped = 0
    /// A thread hands them over.
    var isHandingOver = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let handle: @Sendable (PushClient.Event) -> Void

  init(_ handle: @escaping @Sendable (PushClient.Event) -> Void) { self.handle = handle }

  /// Adds an event, and never waits.
  func add(_ event: PushClient.Event) {
    let isFirst = state.withLock { state in
      if state.events.count < Self.limit { state.events.append(event) } else { state.dropped += 1 }
      defer { state.isHandingOver = true }
      return !state.isHandingOver
    }
    guard isFirst, !Thread.start({ self.handOver() }) else { return }
    // Without a thread they wait for the next event.
    state.withLock { $0.isHandingOver = false }
  }

  private func handOver() {
    while let event = next() { handle(event) }
  }

  private func next() -> PushClient.Event? {
    let (event, waiters) = state.withLock {
      state -> (PushClient.Event?, [CheckedContinuation<Void, Never>]) in
      if let event = state.events.popFirst() { return (event, []) }
      if state.dropped > 0 {
        defer { state.dropped = 0 }
        return (.dropped(state.dropped), [])
      }
      defer { (state.isHandingOver, state.waiters) = (false, []) }
      return (nil, state.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return event
  }

  /// Waits until the handler has had all events.
  func drain() async {
    await withCheckedContinuation { waiter in
      let isDone = state.withLock { state in
        if state.isHandingOver { state.waiters.append(waiter) }
        return !state.isHandingOver
      }
      if isDone { waiter.resume() }
    }
  }
}
