internal import APNS
internal import Synchronization

/// A request about channels on its way: a task waits for it, and a thread makes it.
final class ChannelCall: Sendable {
  typealias Answer = Result<ChannelReply, PushClient.ChannelError>

  private struct State {
    var isSent = false
    var answer: Answer?
    var waiter: CheckedContinuation<Answer, Never>?
  }

  private let state = Mutex(State())

  func wait(_ waiter: CheckedContinuation<Answer, Never>) {
    let answer = state.withLock { state in
      if state.answer == nil { state.waiter = waiter }
      return state.answer
    }
    if let answer { waiter.resume(returning: answer) }
  }

  /// Checks whether the request may go, and notes that it does.
  func mayGo() -> Bool {
    state.withLock { state in
      state.isSent = state.answer == nil
      return state.isSent
    }
  }

  /// Ends the wait; the first call counts.
  func end(_ answer: Answer) { end { _ in answer } }

  /// Ends the wait without an answer.
  func withdraw(_ obstacle: Obstacle) {
    let reason = obstacle.description
    end { isSent in
      .failure(isSent ? .inDoubt(String(reason.dropLast())) : .init(reason))
    }
  }

  private func end(_ answer: (_ isSent: Bool) -> Answer) {
    let ended = state.withLock { state -> (CheckedContinuation<Answer, Never>?, Answer)? in
      guard state.answer == nil else { return nil }
      let answer = answer(state.isSent)
      state.answer = answer
      return (state.waiter.take(), answer)
    }
    if let (waiter, answer) = ended { waiter?.resume(returning: answer) }
  }
}

extension Dispatcher {
  /// Notes a request about channels; false when the client is closed.
  func begin(_ call: ChannelCall) -> Bool {
    state.withLock { state in
      if !state.isClosed { state.channelCalls.append(call) }
      return !state.isClosed
    }
  }

  /// Forgets a request whose thread has ended.
  func ended(_ call: ChannelCall) {
    let closers = state.withLock { state in
      state.channelCalls.removeAll { $0 === call }
      return state.takeClosers()
    }
    for closer in closers { closer.resume() }
  }
}
