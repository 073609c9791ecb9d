internal import APNS
internal import HTTP2
internal import PushModel
internal import Synchronization

/// The pushes of one list: between the task that reads the recipients, the engine's threads, and
/// the task that takes the results.
final class RecipientList: Sendable {
  /// The most pushes between reading and taking. It is more than all connections can carry, so that
  /// only a slow consumer stops the reading.
  private static let limit = 32_768

  fileprivate struct State {
    /// The number of recipients read.
    var read = 0
    /// The number of results.
    var ended = 0
    /// The number of results that the consumer has taken.
    var taken = 0
    /// The results that the consumer has not taken, as they came.
    var results = Queue<[SendResult]>()
    /// Nobody takes results any more. They would hold their chunks, and those the list.
    var isDropped = false
    /// The pushes that no session has taken, a chunk each.
    var waiting = Queue<PushChunk.Columns>()
    /// The chunks with pushes that have no result, by their first number.
    var chunks: [UInt64: PushChunk] = [:]
    /// The tags of recipients without a result, by their place.
    var tags: [Int: String] = [:]
    /// The recipients have ended, with this error if any.
    var end: Result<Void, any Error>?
    var consumer: CheckedContinuation<Void, Never>?
    var reader: CheckedContinuation<Void, Never>?

    var isDone: Bool { end != nil && read == ended }
    var hasRoom: Bool { read - taken < RecipientList.limit || end != nil }
    /// A chunk is full.
    var isReady: Bool { waiting.count > 1 || waiting.first?.count == PushChunk.capacity }
  }

  let topic: String
  /// Keeps the rest from being sent when nearly all of its device tokens are refused.
  let breaker: CircuitBreaker?
  private let message: PushMessage
  private let pushType: PushType
  private let dispatcher: Dispatcher
  private let state = Mutex(State())
  private let hasGivenUp = Atomic(false)

  /// Nothing more is to be sent.
  var isCancelled: Bool { hasGivenUp.load(ordering: .sequentiallyConsistent) }

  init(_ message: PushMessage, _ pushType: PushType, _ dispatcher: Dispatcher) {
    (self.message, self.pushType, self.dispatcher) = (message, pushType, dispatcher)
    topic = message.topic
    breaker = dispatcher.options.breaker == .perTopic ? CircuitBreaker() : nil
  }

  /// The time of the monotonic clock.
  var now: () -> UInt64 { dispatcher.clock.monotonic }
}

// The side of the task that reads the recipients.
extension RecipientList {
  /// Adds pushes, no more than a chunk holds, and waits until there is room for others.
  ///
  /// - Parameters:
  ///   - unsent: the results of recipients that cannot be sent to.
  ///   - tags: the tags of the recipients that have one, by their place.
  /// - Returns: false when the list has ended; then nothing was added.
  func add(
    _ pushes: PushChunk.Columns, _ unsent: [SendResult], _ tags: [Int: String]
  ) async -> Bool {
    let place = state.withLock { state -> (isNews: Bool, hasRoom: Bool)? in
      if state.end != nil { return nil }
      state.tags.merge(tags) { $1 }
      dispatcher.began(pushes.count + unsent.count)
      let before = (state.waiting.isEmpty, state.isReady)
      state.add(pushes)
      state.read += unsent.count
      return ((state.waiting.isEmpty, state.isReady) != before, state.hasRoom)
    }
    guard let place else { return false }
    take(unsent)
    if place.isNews, let obstacle = dispatcher.add(self) { giveUp(obstacle) }
    if !place.hasRoom { await room() }
    return true
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

  /// Takes no more recipients; the first call counts.
  func end(_ end: Result<Void, any Error>) { wake { $0.end = $0.end ?? end } }
}

extension RecipientList.State {
  fileprivate mutating func add(_ pushes: PushChunk.Columns) {
    if pushes.count == 0 { return }
    read += pushes.count
    let isAdded = waiting.change(ofLast: 1) { last in
      if last.count + pushes.count > PushChunk.capacity { return false }
      last.add(pushes)
      return true
    }
    if !isAdded { waiting.append(pushes) }
  }
}

extension RecipientList.State {
  fileprivate mutating func tag(_ results: inout [SendResult]) {
    if tags.isEmpty { return }
    for index in results.indices {
      results[index].tag = tags.removeValue(forKey: results[index].position)
    }
  }
}

// The side of the engine's threads.
extension RecipientList {
  /// A chunk is full.
  var isReady: Bool { state.withLock { $0.isReady } }

  /// The number of pushes that no session has taken, or a little more.
  var waiting: Int { state.withLock { $0.waiting.count } * PushChunk.capacity }

  /// Takes the oldest chunk.
  ///
  /// - Returns: it, and whether it was the last for now; nil when there is none.
  ///
  /// - Parameter breaker: the breaker of its topic.
  func takeChunk(
    at sequence: UInt64, _ breaker: CircuitBreaker?
  ) -> (chunk: PushChunk, isLast: Bool)? {
    state.withLock { state in
      guard let pushes = state.waiting.popFirst() else { return nil }
      let part = ListPart(self, breaker, count: pushes.count)
      let chunk = PushChunk(
        firstSequence: sequence, list: "", message: message, sender: part, pushes)
      state.chunks[sequence] = chunk
      return (chunk, state.waiting.isEmpty)
    }
  }

  /// Forgets a chunk whose pushes all have results.
  func finished(_ chunk: PushChunk) {
    _ = state.withLock { $0.chunks.removeValue(forKey: chunk.firstSequence) }
  }

  /// Ends the pushes that no session has taken.
  func giveUp(_ obstacle: Obstacle) {
    for pushes in state.withLock({ $0.waiting.takeAll() }) {
      let chunk = PushChunk(firstSequence: 0, list: "", message: message, pushes)
      take(chunk.pushes.map { SendResult($0, id: nil, obstacle) })
    }
    if obstacle.kind == .closed { end(.failure(obstacle)) }
  }

  /// Passes results on to the consumer.
  func take(_ results: [SendResult]) {
    if results.isEmpty { return }
    var results = results
    state.withLock { $0.tag(&results) }
    // Before the consumer has the last of them, and closes the client.
    if let events = dispatcher.events {
      for result in results { events.add(.ended(ended(result))) }
    }
    wake { state in
      if !state.isDropped { state.results.append(results) }
      state.ended += results.count
    }
    dispatcher.settled(results.count)
  }

  private func ended(_ result: SendResult) -> PushClient.Ended {
    PushClient.Ended(result: result, duration: result.latency, pushType: pushType, topic: topic)
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
  /// Takes the next results, waiting for them; none when there will be no more.
  ///
  /// - Throws: the error that ended the recipients, once all results are taken.
  func next() async throws -> [SendResult] {
    while true {
      if Task.isCancelled, !isCancelled { cancel() }
      let (results, end) = takeResults()
      if let results { return results }
      if let end {
        try end.get()
        return []
      }
      await withTaskCancellationHandler {
        await waitForResults()
      } onCancel: {
        cancel()
      }
    }
  }

  /// Waits until there are results, or there will be no more. There is one who waits: see
  /// `SendResults.AsyncIterator`.
  private func waitForResults() async {
    await withCheckedContinuation { consumer in
      let isReady = state.withLock { state in
        let isReady = !state.results.isEmpty || state.isDone
        if !isReady { state.consumer = consumer }
        return isReady
      }
      if isReady { consumer.resume() }
    }
  }

  private func takeResults() -> ([SendResult]?, Result<Void, any Error>?) {
    let (results, end, reader) = state.withLock { state in
      let results = state.results.popFirst()
      state.taken += results?.count ?? 0
      let isHalfEmpty = state.read - state.taken <= Self.limit / 2
      return (results, state.isDone ? state.end : nil, isHalfEmpty ? state.reader.take() : nil)
    }
    reader?.resume()
    return (results, end)
  }

  /// Ends the list: nothing more is read or sent, and each push that was taken has its outcome at
  /// once.
  func cancel() {
    // Before it is asked which pushes have begun: see ListPart.mayGo.
    hasGivenUp.store(true, ordering: .sequentiallyConsistent)
    wake { if !$0.isDone { $0.end = .failure(CancellationError()) } }
    dispatcher.forget(self)
    giveUp(.cancelled)
    let chunks = state.withLock { $0.chunks.values.sorted { $0.firstSequence < $1.firstSequence } }
    for chunk in chunks { (chunk.sender as? ListPart)?.withdraw(chunk, dispatcher.identity) }
  }

  /// Ends the list, and drops the results that nobody has taken.
  func drop() {
    cancel()
    state.withLock { state in
      state.isDropped = true
      state.results = Queue()
    }
  }
}
