internal import APNS
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
  private let state = Mutex(State())

  init(_ token: DeviceToken?) { self.token = token }

  /// Waits for the result. Cancelling the task ends the wait, and the push if it was not sent yet.
  func result() async -> SendResult {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let result = state.withLock { state in
          if state.result == nil { state.waiter = waiter }
          return state.result
        }
        if let result { waiter.resume(returning: result) }
      }
    } onCancel: {
      end { [token] id in SendResult(token, id: id, .cancelled) }
    }
  }

  /// Checks whether the push may go, and notes that it does.
  func mayGo(_ id: @autoclosure () -> APNSID) -> Bool {
    state.withLock { state in
      guard state.result == nil else { return false }
      state.id = state.id ?? id()
      return true
    }
  }

  /// Ends the push, unless it has ended.
  ///
  /// - Parameter result: makes the result; the ID is nil when the push was not sent.
  func end(_ result: (APNSID?) -> SendResult) {
    let ended = state.withLock { state -> (CheckedContinuation<SendResult, Never>, SendResult)? in
      guard state.result == nil else { return nil }
      let result = result(state.id)
      state.result = result
      defer { state.waiter = nil }
      return state.waiter.map { ($0, result) }
    }
    if let (waiter, result) = ended { waiter.resume(returning: result) }
  }
}

/// The tickets of the single pushes in a chunk.
final class TicketChunk: ChunkReceiver {
  private let tickets: [Ticket]
  private let message: PushMessage
  private let firstSequence: UInt64
  private let identity: RunIdentity

  init(
    _ tickets: [Ticket], _ message: PushMessage, _ firstSequence: UInt64, _ identity: RunIdentity
  ) {
    (self.tickets, self.message) = (tickets, message)
    (self.firstSequence, self.identity) = (firstSequence, identity)
  }

  func mayGo(at index: Int) -> Bool {
    tickets[index].mayGo(
      message.apnsID ?? identity.apnsID(ofSequence: firstSequence + UInt64(index)))
  }

  func take(_ results: ArraySlice<PushResult>, _ identity: RunIdentity, _ obstacle: Obstacle?) {
    for result in results {
      tickets[result.push.index].end { _ in SendResult(result, identity, obstacle) }
    }
  }
}
