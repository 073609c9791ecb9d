package import HTTP2
internal import Synchronization

/// A bounded queue between threads. Threads wait on a `Wake`, so that one can wait for the queue
/// and for a socket at once.
package final class ChunkQueue<Element: Sendable>: Sendable {
  /// The result of asking for an element.
  package enum Taken {
    case element(Element)
    /// Empty for now; the wake is called when an element arrives or the queue finishes.
    case empty
    /// Empty for good.
    case finished
  }

  private struct State {
    var elements: [Element] = []
    var producers: Int
    var isClosed = false
    /// A thread was told that nothing more comes.
    var wasToldFinished = false
    var waitingToTake: [Wake] = []
    var waitingToPut: [Wake] = []

    var isFinished: Bool { isClosed || producers == 0 }
  }

  private let capacity: Int
  private let state: Mutex<State>

  package init(capacity: Int, producers: Int = 1) {
    self.capacity = capacity
    state = Mutex(State(producers: producers))
  }

  /// Appends an element, waiting while the queue is full.
  ///
  /// - Parameters:
  ///   - wake: used for this wait alone; a call meant for another wait would be lost.
  ///   - commit: runs before any thread can take the element.
  /// - Returns: false when the queue was closed and the element was not added.
  package func put(_ element: Element, wake: Wake, commit: () -> Void = {}) -> Bool {
    while true {
      switch tryPut(element, wake, commit) {
      case .done(let waiting):
        for wake in waiting { wake.call() }
        return true
      case .closed: return false
      case .full: wake.wait(milliseconds: nil)
      }
    }
  }

  private enum Attempt {
    case done([Wake])
    case closed
    case full
  }

  // Wakes every waiting consumer: the first may be busy elsewhere by now.
  private func tryPut(_ element: Element, _ wake: Wake, _ commit: () -> Void) -> Attempt {
    state.withLock { state in
      if state.isClosed { return .closed }
      guard state.elements.count < capacity else {
        state.waitingToPut.addOnce(wake)
        return .full
      }
      state.elements.append(element)
      commit()
      defer { state.waitingToTake.removeAll() }
      return .done(state.waitingToTake)
    }
  }

  /// Appends an element that was taken, even to a full queue. Some thread must go on until it is told
  /// that the queue is finished; it need not be this one.
  ///
  /// - Returns: false once a thread was told so: the others may have ended.
  func putBack(_ element: Element) -> Bool {
    let waiting = state.withLock { state -> [Wake]? in
      if state.wasToldFinished { return nil }
      state.elements.append(element)
      defer { state.waitingToTake.removeAll() }
      return state.waitingToTake
    }
    for wake in waiting ?? [] { wake.call() }
    return waiting != nil
  }

  /// Takes the oldest element without waiting.
  package func take(orWake wake: Wake) -> Taken {
    let (taken, waiting) = state.withLock { state -> (Taken, [Wake]) in
      guard !state.elements.isEmpty else {
        if state.isFinished {
          state.wasToldFinished = true
          return (.finished, [])
        }
        state.waitingToTake.addOnce(wake)
        return (.empty, [])
      }
      let element = state.elements.removeFirst()
      defer { state.waitingToPut.removeAll() }
      return (.element(element), state.waitingToPut)
    }
    for wake in waiting { wake.call() }
    return taken
  }

  /// Takes the oldest element, waiting if needed; nil when none will come.
  func take(waitingOn wake: Wake) -> Element? {
    while true {
      switch take(orWake: wake) {
      case .element(let element): return element
      case .finished: return nil
      case .empty: wake.wait(milliseconds: nil)
      }
    }
  }

  /// The total size of the queued elements, and whether the queue is full.
  func filling(_ size: (Element) -> Int) -> (size: Int, isFull: Bool) {
    let elements = state.withLock { $0.elements }
    return (elements.reduce(0) { $0 + size($1) }, elements.count >= capacity)
  }

  /// Adds a producer. Only a running producer may call this: a finished queue stays finished.
  func addProducer() { state.withLock { $0.producers += 1 } }

  /// Ends one producer.
  package func producerDone() { end { $0.producers -= 1 } }

  /// Refuses further elements; those in the queue can still be taken.
  package func close() { end { $0.isClosed = true } }

  private func end(_ change: (inout sending State) -> Void) {
    let waiting = state.withLock { state -> [Wake] in
      change(&state)
      guard state.isFinished else { return [] }
      defer {
        state.waitingToTake.removeAll()
        state.waitingToPut.removeAll()
      }
      return state.waitingToTake + state.waitingToPut
    }
    for wake in waiting { wake.call() }
  }
}

extension [Wake] {
  fileprivate mutating func addOnce(_ wake: Wake) {
    if !contains(where: { $0 === wake }) { append(wake) }
  }
}
