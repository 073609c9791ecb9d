internal import APNS
internal import PushModel
internal import Synchronization

/// The pushes of a list in one chunk.
final class ListPart: Judged {
  private struct State {
    var hasEnded: [Bool]
    var left: Int
  }

  let topicBreaker: CircuitBreaker?
  private let list: RecipientList
  /// The number of pushes that may have been sent: one connection after another sends a chunk, in order.
  private let begun = Atomic(0)
  private let state: Mutex<State>

  var listBreaker: CircuitBreaker? { list.breaker }

  init(_ list: RecipientList, _ breaker: CircuitBreaker?, count: Int) {
    (self.list, topicBreaker) = (list, breaker)
    state = Mutex(State(hasEnded: Array(repeating: false, count: count), left: count))
  }

  // In this order, so that either the connection sees that the list is cancelled, or the one who
  // cancels sees that the push has begun.
  func mayGo(at index: Int) -> Bool {
    if isTripped, obstacle(list.now) != nil { return false }
    if index >= begun.load(ordering: .relaxed) {
      begun.store(index + 1, ordering: .sequentiallyConsistent)
    }
    return !list.isCancelled
  }

  /// Takes the results of some of the pushes. Those that the consumer already has are ignored.
  func take(_ results: ArraySlice<PushResult>, _ identity: RunIdentity, _ obstacle: Obstacle?) {
    guard let chunk = results.first?.push.chunk else { return }
    let obstacle = obstacle ?? lastObstacle
    take(results, of: chunk, at: \.push.index) { SendResult($0, identity, obstacle) }
  }

  /// Takes the results of pushes that were accepted at their first attempt.
  func take(_ accepted: ArraySlice<AcceptedPush>, of chunk: PushChunk, _ identity: RunIdentity) {
    take(accepted, of: chunk, at: \.index) { SendResult($0, of: chunk, identity) }
  }

  private func take<Result>(
    _ results: ArraySlice<Result>, of chunk: PushChunk, at index: (Result) -> Int,
    _ made: (Result) -> SendResult
  ) {
    var news: [SendResult] = []
    news.reserveCapacity(results.count)
    let isLast = state.withLock { state in
      for result in results where !state.hasEnded[index(result)] {
        state.hasEnded[index(result)] = true
        news.append(made(result))
      }
      state.left -= news.count
      return state.left == 0
    }
    if isLast { list.finished(chunk) }
    list.take(news)
  }

  /// Ends all pushes that have no result: as unknown if they may have been sent.
  func withdraw(_ chunk: PushChunk, _ identity: RunIdentity) {
    let hadEnded = state.withLock { state in
      defer { state = State(hasEnded: Array(repeating: true, count: chunk.count), left: 0) }
      return state.hasEnded
    }
    let begun = begun.load(ordering: .sequentiallyConsistent)
    let open = chunk.pushes.filter { !hadEnded[$0.index] }
    list.finished(chunk)
    list.take(
      open.map { push in
        SendResult(push, id: push.index < begun ? push.apnsID(identity) : nil, .cancelled)
      })
  }
}

extension Push {
  /// The `apns-id` of each attempt.
  func apnsID(_ identity: RunIdentity) -> APNSID {
    chunk.message?.apnsID ?? identity.apnsID(of: self)
  }
}
