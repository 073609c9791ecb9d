internal import PushModel
internal import Synchronization

/// The number of a run's connections, shared by all of them. Applies the decisions of
/// `ConnectionScaling`.
final class ConnectionScaler: Sendable {
  private struct State {
    var scaling: ConnectionScaling
    /// The connections whose threads were started and have not retired.
    var running: Set<Int>
    var open = 0
    var mostOpen = 0
  }

  private let state: Mutex<State>
  private let target: Atomic<Int>
  private let isFixed: Bool
  /// Also nil when the number is fixed.
  private let limit: ConnectionLimit?
  private let work: @Sendable () -> ConnectionScaling.Work

  /// - Parameters:
  ///   - limit: the most connections, unless the number is fixed.
  ///   - work: what is left to send.
  init(
    _ count: ConnectionCount, limit: ConnectionLimit? = nil,
    work: @escaping @Sendable () -> ConnectionScaling.Work
  ) {
    state = Mutex(State(scaling: ConnectionScaling(count), running: Set(0..<count.atStart)))
    target = Atomic(count.atStart)
    isFixed = count != .auto
    self.limit = isFixed ? nil : limit
    self.work = work
  }

  /// The most connections at once, and the reason there were no more; nil before the first.
  var figures: ConnectionFigures? {
    state.withLock { state in
      if state.mostOpen == 0 { return nil }
      // With a fixed number, a connection that the others made unnecessary is not missing.
      let isMissed = !isFixed || state.mostOpen == state.running.count
      return ConnectionFigures(
        most: state.mostOpen, limit: isMissed ? state.scaling.limit : .given)
    }
  }

  /// Checks whether a connection is to keep taking recipients.
  func wants(_ index: Int) -> Bool {
    index < min(target.load(ordering: .relaxed), limit?.value ?? .max)
  }

  /// Takes a connection's report.
  ///
  /// - Returns: the connections to start, which count as running from now on.
  func take(_ report: ConnectionScaling.Report, from index: Int, now: UInt64) -> [Int] {
    if isFixed { return [] }
    return state.withLock { state in
      if let limit { state.scaling.most = limit.value }
      state.scaling.take(report, from: index, now: now, work: work)
      return newcomers(&state)
    }
  }

  /// Notes that the server sent GOAWAY, or closed a connection before answering anything on it.
  func lost(now: UInt64, isTooEager: Bool) {
    state.withLock { state in
      state.scaling.lost(now: now, isTooEager: isTooEager)
      target.store(state.scaling.target, ordering: .relaxed)
    }
  }

  /// Notes that a connection could not be started.
  func failedToStart(_ index: Int, _ cause: ConnectionFigures.Limit, now: UInt64) {
    state.withLock { state in
      state.running.remove(index)
      state.scaling.failedToStart(index, cause, now: now)
      target.store(state.scaling.target, ordering: .relaxed)
    }
  }

  /// Notes that a connection's thread ends because it is no longer needed.
  func retired(_ index: Int) {
    state.withLock { state in
      state.running.remove(index)
      state.scaling.retired(index)
    }
  }

  /// Counts a connection that has a link.
  func linked() {
    state.withLock { state in
      state.open += 1
      state.mostOpen = max(state.mostOpen, state.open)
    }
  }

  /// Counts a connection that has given up its link.
  func unlinked() { state.withLock { $0.open -= 1 } }

  private func newcomers(_ state: inout sending State) -> [Int] {
    target.store(state.scaling.target, ordering: .relaxed)
    guard state.running.count < state.scaling.target else { return [] }
    let newcomers = (0..<state.scaling.target).filter { !state.running.contains($0) }
    state.running.formUnion(newcomers)
    return newcomers
  }
}

/// The most connections of a run that chooses their number itself. Any thread may change it during
/// the run.
package final class ConnectionLimit: Sendable {
  private let number: Atomic<Int>
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  /// - Parameter number: values below one count as one.
  package init(_ number: Int) { self.number = Atomic(max(1, number)) }

  /// The most connections.
  package var value: Int { number.load(ordering: .relaxed) }

  /// Changes the limit. Excess connections end once they have sent what they took.
  package func set(_ number: Int) {
    let number = max(1, number)
    guard self.number.exchange(number, ordering: .relaxed) > number else { return }
    for listener in listeners.withLock({ $0 }) { listener() }
  }

  /// Calls the listener whenever the limit is lowered.
  func whenLowered(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.append(listener) }
  }
}
