internal import APNS
internal import HTTP2
internal import PushModel
internal import Synchronization

/// A single push on its way. A task waits for it; the engine's threads ask whether it may still go,
/// and end it.
final class Ticket: Sendable {
  private struct State {
    /// The push may have been sent, with this ID.
    var id: APNSID?
    var result: SendResult?
    var waiter: CheckedContinuation<SendResult, Never>?
  }

  /// The device token; nil for a push to a channel.
  let token: DeviceToken?
  private let dispatcher: Dispatcher
  private let state = Mutex(State())

  init(_ token: DeviceToken?, _ dispatcher: Dispatcher) {
    (self.token, self.dispatcher) = (token, dispatcher)
  }

  /// Sends a notification and waits for the result. Cancelling the task ends the wait, and the push
  /// if it was not sent yet; so does the deadline.
  func result(of notification: PushNotification, within deadline: Duration?) async -> SendResult {
    dispatcher.began(1)
    let timer = deadline.map { deadline in
      Task {
        try await Task.sleep(for: deadline.waitable)
        withdraw(.deadline)
      }
    }
    defer { timer?.cancel() }
    // A task that is cancelled already ends the ticket before it is added.
    return await withTaskCancellationHandler {
      if !hasEnded { dispatcher.add(notification, self) }
      return await result()
    } onCancel: {
      withdraw(.cancelled)
    }
  }

  private func result() async -> SendResult {
    await withCheckedContinuation { waiter in
      let result = state.withLock { state in
        if state.result == nil { state.waiter = waiter }
        return state.result
      }
      if let result { waiter.resume(returning: result) }
    }
  }

  private var hasEnded: Bool { state.withLock { $0.result != nil } }

  /// Ends the push for whoever waits: as unknown if it may have been sent.
  private func withdraw(_ obstacle: Obstacle) { end { id in self.result(id, obstacle) } }

  private func result(_ id: APNSID?, _ obstacle: Obstacle) -> SendResult {
    SendResult(token, id: id, id == nil ? .notAttempted : .unknown, obstacle)
  }

  /// Checks whether the push may go, and notes that it does.
  func mayGo(_ id: @autoclosure () -> APNSID) -> Bool {
    state.withLock { state in
      guard state.result == nil else { return false }
      state.id = state.id ?? id()
      return true
    }
  }

  /// Ends the push, unless it may have been sent.
  func giveUp(_ obstacle: Obstacle) { end { $0 == nil ? result(nil, obstacle) : nil } }

  /// Ends the push, unless it has ended.
  ///
  /// - Parameter result: makes the result; the ID is nil when the push was not sent. Nil lets the
  ///   push go on.
  func end(_ result: (APNSID?) -> SendResult?) {
    let ended = state.withLock { state -> (CheckedContinuation<SendResult, Never>?, SendResult)? in
      guard state.result == nil, let result = result(state.id) else { return nil }
      state.result = result
      return (state.waiter.take(), result)
    }
    guard let (waiter, result) = ended else { return }
    dispatcher.settled(1)
    waiter?.resume(returning: result)
  }
}

/// The tickets of the single pushes in a chunk.
final class TicketChunk: Judged {
  let topicBreaker: CircuitBreaker?
  let listBreaker: CircuitBreaker? = nil
  private let tickets: [Ticket]
  private let message: PushMessage
  private let firstSequence: UInt64
  private let identity: RunIdentity
  private let clock: RunClock
  private let ended = Atomic(0)

  init(
    _ tickets: [Ticket], _ message: PushMessage, _ firstSequence: UInt64, _ identity: RunIdentity,
    _ clock: RunClock, _ breaker: CircuitBreaker?
  ) {
    (topicBreaker, self.clock) = (breaker, clock)
    (self.tickets, self.message) = (tickets, message)
    (self.firstSequence, self.identity) = (firstSequence, identity)
  }

  func mayGo(at index: Int) -> Bool {
    if isTripped, obstacle(clock.monotonic) != nil { return false }
    return tickets[index].mayGo(
      message.apnsID ?? identity.apnsID(ofSequence: firstSequence + UInt64(index)))
  }

  /// Takes the results of some of the pushes. Those whose tasks no longer wait are ignored.
  ///
  /// - Returns: whether all pushes have a result now.
  func take(
    _ results: ArraySlice<PushResult>, _ identity: RunIdentity, _ obstacle: Obstacle?
  ) -> Bool {
    let obstacle = obstacle ?? lastObstacle
    for result in results {
      let ticket = tickets[result.push.index]
      ticket.end { _ in SendResult(result, to: ticket.token, identity, obstacle) }
    }
    return ended.add(results.count, ordering: .relaxed).newValue >= tickets.count
  }

  /// Ends the pushes that have not been sent.
  func giveUp(_ obstacle: Obstacle) {
    for ticket in tickets { ticket.giveUp(obstacle) }
  }
}
