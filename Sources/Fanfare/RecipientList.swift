internal import APNS
internal import PushModel
internal import Synchronization

/// The pushes of one list: between the task that reads the recipients, the engine's threads, and
/// the task that takes the results.
final class RecipientList: Sendable {
  /// The most pushes between reading and taking. It is more than all connections can carry, so that
  /// only a slow consumer stops the reading.
  private static let limit = 32_768

  private struct State {
    /// The number of pushes handed to the dispatcher.
    var read = 0
    /// The number of results.
    var ended = 0
    /// The number of results that the consumer has taken.
    var taken = 0
    var results: [SendResult] = []
    /// The chunks with pushes that have no result, by their first number.
    var chunks: [UInt64: PushChunk] = [:]
    /// The recipients have ended, with this error if any.
    var end: Result<Void, any Error>?
    var consumer: CheckedContinuation<Void, Never>?
    var reader: CheckedContinuation<Void, Never>?

    var isDone: Bool { end != nil && read == ended }
    var hasRoom: Bool { read - taken < RecipientList.limit || end != nil }
  }

  let message: PushMessage
  private let dispatcher: Dispatcher
  private let state = Mutex(State())
  private let hasGivenUp = Atomic(false)

  /// Nothing more is to be sent.
  var isCancelled: Bool { hasGivenUp.load(ordering: .acquiring) }

  init(_ message: PushMessage, _ dispatcher: Dispatcher) {
    (self.message, self.dispatcher) = (message, dispatcher)
  }
}

// The side of the task that reads the recipients.
extension RecipientList {
  /// Sends to all recipients, as far as results are taken.
  func read<Recipients: AsyncSequence>(_ recipients: Recipients) async
  where Recipients.Element == DeviceToken {
    do {
      for try await token in recipients {
        guard let hasRoom = add(token) else { return }
        if !hasRoom { await room() }
      }
      end(.success(()))
    } catch {
      end(.failure(error))
    }
  }

  /// - Returns: whether there is room for another; nil when the list has ended.
  private func add(_ token: DeviceToken) -> Bool? {
    let place = state.withLock { state -> (position: Int, hasRoom: Bool)? in
      if state.end != nil { return nil }
      state.read += 1
      return (state.read - 1, state.hasRoom)
    }
    guard let place else { return nil }
    if let obstacle = dispatcher.add(token, at: place.position, to: self) {
      take([SendResult(token, at: place.position, id: nil, obstacle)])
      if obstacle.kind == .closed { end(.failure(obstacle)) }
    }
    return place.hasRoom
  }

  /// Waits until the consumer has taken half of what there may be.
  private func room() async {
    await withCheckedContinuation { reader in
      let hasRoom = state.withLock { state in
        if !state.hasRoom { state.reader = reader }
        return state.hasRoom
      }
      if hasRoom { reader.resume() }
    }
  }

  private func end(_ end: Result<Void, any Error>) {
    wake { $0.end = $0.end ?? end }
  }
}

// The side of the engine's threads.
extension RecipientList {
  /// Notes a chunk that goes to the engine.
  fileprivate func began(_ chunk: PushChunk) {
    state.withLock { $0.chunks[chunk.firstSequence] = chunk }
  }

  /// Forgets a chunk whose pushes all have results.
  fileprivate func finished(_ chunk: PushChunk) {
    _ = state.withLock { $0.chunks.removeValue(forKey: chunk.firstSequence) }
  }

  func take(_ results: [SendResult]) {
    if results.isEmpty { return }
    wake { state in
      state.results += results
      state.ended += results.count
    }
  }

  private func wake(_ change: (inout sending State) -> Void) {
    let (consumer, reader) = state.withLock { state in
      change(&state)
      let reader = state.hasRoom ? state.reader.take() : nil
      return (state.consumer.take(), reader)
    }
    consumer?.resume()
    reader?.resume()
  }
}

// The side of the task that takes the results.
extension RecipientList {
  /// Takes the results so far, waiting for the first; none when there will be no more.
  ///
  /// - Throws: the error that ended the recipients, once all results are taken.
  func next() async throws -> [SendResult] {
    while true {
      if Task.isCancelled, !isCancelled { cancel() }
      let (results, end) = takeResults()
      if !results.isEmpty { return results }
      if let end {
        try end.get()
        return []
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { consumer in
          let isReady = state.withLock { state in
            let isReady = !state.results.isEmpty || state.isDone
            if !isReady { state.consumer = consumer }
            return isReady
          }
          if isReady { consumer.resume() }
        }
      } onCancel: {
        cancel()
      }
    }
  }

  private func takeResults() -> ([SendResult], Result<Void, any Error>?) {
    let (results, end, reader) = state.withLock { state in
      let results = state.results
      state.results = []
      state.taken += results.count
      let isHalfEmpty = state.read - state.taken <= Self.limit / 2
      return (results, state.isDone ? state.end : nil, isHalfEmpty ? state.reader.take() : nil)
    }
    reader?.resume()
    return (results, end)
  }

  /// Ends the list: nothing more is read or sent, and each push that was taken has its outcome at
  /// once.
  func cancel() {
    hasGivenUp.store(true, ordering: .releasing)
    end(.failure(CancellationError()))
    dispatcher.withdraw(self)
    let chunks = state.withLock { $0.chunks.values.sorted { $0.firstSequence < $1.firstSequence } }
    for chunk in chunks { (chunk.sender as? ListPart)?.withdraw(chunk, dispatcher.identity) }
  }
}

/// The pushes of a list in one chunk.
final class ListPart: ChunkReceiver {
  private enum Stage { case waiting, going, ended }

  private struct State {
    var stages: [Stage]
    var left: Int
  }

  private let list: RecipientList
  private let state: Mutex<State>

  init(_ list: RecipientList, count: Int) {
    self.list = list
    state = Mutex(State(stages: Array(repeating: .waiting, count: count), left: count))
  }

  /// Notes that the chunk goes to the engine.
  func begin(_ chunk: PushChunk) { list.began(chunk) }

  func mayGo(at index: Int) -> Bool {
    state.withLock { state in
      if state.stages[index] == .ended { return false }
      state.stages[index] = .going
      return true
    }
  }

  func take(_ results: ArraySlice<PushResult>, _ identity: RunIdentity, _ obstacle: Obstacle?) {
    guard let chunk = results.first?.push.chunk else { return }
    let (news, isLast) = state.withLock { state in
      let news = results.filter { state.stages[$0.push.index] != .ended }
      for result in news { state.stages[result.push.index] = .ended }
      state.left -= news.count
      return (news, state.left == 0)
    }
    if isLast { list.finished(chunk) }
    list.take(news.map { SendResult($0, identity, obstacle) })
  }

  /// Ends all pushes that have no result: as unknown if they may have been sent.
  func withdraw(_ chunk: PushChunk, _ identity: RunIdentity) {
    let stages = state.withLock { state in
      let stages = state.stages
      state = State(stages: Array(repeating: .ended, count: stages.count), left: 0)
      return stages
    }
    let results = chunk.pushes.compactMap { push -> PushResult? in
      guard stages[push.index] != .ended else { return nil }
      return PushResult(unsent: push, stages[push.index] == .going ? .unknown : .notAttempted)
    }
    list.finished(chunk)
    list.take(results.map { SendResult($0, identity, .cancelled) })
  }
}
