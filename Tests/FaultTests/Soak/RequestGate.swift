import Foundation
import Synchronization

/// The requests that arrive at an emulator, which is held up until it may answer.
final class RequestGate: Sendable {
  private struct State {
    var count = 0
    /// What is waited for.
    var awaited: (count: Int, arrival: DispatchSemaphore)?
  }

  private let state = Mutex(State())
  private let gate = DispatchSemaphore(value: 0)
  private let isBad = Atomic(true)

  func open() { gate.signal() }

  func endBadDay() { isBad.store(false, ordering: .relaxed) }

  /// Counts a request, as soon as it may be answered.
  ///
  /// - Returns: whether the day is bad.
  func note() -> Bool {
    gate.wait()
    gate.signal()
    let arrival = state.withLock { state in
      state.count += 1
      return state.awaited.flatMap { state.count >= $0.count ? $0.arrival : nil }
    }
    arrival?.signal()
    return isBad.load(ordering: .relaxed)
  }

  /// Waits until so many have come.
  ///
  /// - Returns: false when they do not come.
  func wait(for count: Int) -> Bool {
    let arrival = DispatchSemaphore(value: 0)
    let isThere = state.withLock { state in
      state.awaited = (count, arrival)
      return state.count >= count
    }
    return isThere || arrival.wait(timeout: .now() + .seconds(120)) == .success
  }
}
