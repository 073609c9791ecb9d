internal import HTTP2
internal import PushModel
internal import Synchronization

/// The number of a run's connections, which they share. It carries out what `ConnectionScaling`
/// decides.
final class ConnectionScaler: Sendable {
  private struct State {
    var scaling: ConnectionScaling
    /// The connections whose threads were started and not retired.
    var running: Set<Int>
    var open = 0
    var mostOpen = 0
  }

  private let state: Mutex<State>
  private let target: Atomic<Int>
  private let isFixed: Bool
  private let work: @Sendable () -> ConnectionScaling.Work

  /// - Parameter work: what is left to send.
  init(_ count: ConnectionCount, work: @escaping @Sendable () -> ConnectionScaling.Work) {
    state = Mutex(State(scaling: ConnectionScaling(count), running: Set(0..<count.atStart)))
    target = Atomic(count.atStart)
    isFixed = count != .auto
    self.work = work
  }

  /// How many connections there were at once, and why no more; nil before the first.
  var figures: ConnectionFigures? {
    state.withLock { state in
      state.mostOpen == 0
        ? nil : ConnectionFigures(most: state.mostOpen, limit: state.scaling.limit)
    }
  }

  /// Whether a connection is still to take recipients.
  func wants(_ index: Int) -> Bool { index < target.load(ordering: .relaxed) }

  /// Takes a connection's report.
  ///
  /// - Returns: the connections to start, which count as running from here on.
  func take(_ report: ConnectionScaling.Report, from index: Int, now: UInt64) -> [Int] {
    if isFixed { return [] }
    return state.withLock { state in
      state.scaling.take(report, from: index, now: now, work: work)
      return newcomers(&state)
    }
  }

  /// A connection was lost, or the server said goodbye.
  func lost(now: UInt64, isTooEager: Bool) {
    state.withLock { state in
      state.scaling.lost(now: now, isTooEager: isTooEager)
      target.store(state.scaling.target, ordering: .relaxed)
    }
  }

  /// A connection that was to be started could not be.
  func failedToStart(_ index: Int, _ cause: ConnectionFigures.Limit, now: UInt64) {
    state.withLock { state in
      state.running.remove(index)
      state.scaling.failedToStart(index, cause, now: now)
      target.store(state.scaling.target, ordering: .relaxed)
    }
  }

  /// A connection's thread ends because it was not wanted any more.
  func retired(_ index: Int) {
    state.withLock { state in
      state.running.remove(index)
      state.scaling.retired(index)
    }
  }

  /// A connection uses a link.
  func linked() {
    state.withLock { state in
      state.open += 1
      state.mostOpen = max(state.mostOpen, state.open)
    }
  }

  /// A connection no longer uses its link.
  func unlinked() { state.withLock { $0.open -= 1 } }

  private func newcomers(_ state: inout sending State) -> [Int] {
    target.store(state.scaling.target, ordering: .relaxed)
    guard state.running.count < state.scaling.target else { return [] }
    let newcomers = (0..<state.scaling.target).filter { !state.running.contains($0) }
    state.running.formUnion(newcomers)
    return newcomers
  }
}
