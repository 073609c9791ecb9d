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
  /// Nil for a given number, too.
  private let limit: ConnectionLimit?
  private let work: @Sendable () -> ConnectionScaling.Work

  /// - Parameters:
  ///   - limit: how many there may be unless the number is given.
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

  /// How many connections there were at once, and why no more; nil before the first.
  var figures: ConnectionFigures? {
    state.withLock { state in
      if state.mostOpen == 0 { return nil }
      // Of a given number, those that the rest did not need were not missed.
      let isMissed = !isFixed || state.mostOpen == state.running.count
      return ConnectionFigures(
        most: state.mostOpen, limit: isMissed ? state.scaling.limit : .given)
    }
  }

  /// Whether a connection is still to take recipients.
  func wants(_ index: Int) -> Bool {
    index < min(target.load(ordering: .relaxed), limit?.value ?? .max)
  }

  /// Takes a connection's report.
  ///
  /// - Returns: the connections to start, which count as running from here on.
  func take(_ report: ConnectionScaling.Report, from index: Int, now: UInt64) -> [Int] {
    if isFixed { return [] }
    return state.withLock { state in
      if let limit { state.scaling.most = limit.value }
      state.scaling.take(report, from: index, now: now, work: work)
      return newcomers(&state)
    }
  }

  /// The server said goodbye, or left a connection before it answered anything.
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

/// How many connections a run may have that finds their number itself. Any thread may change it while
/// the run goes on.
package final class ConnectionLimit: Sendable {
  private let number: Atomic<Int>
  private let listeners = Mutex<[@Sendable () -> Void]>([])

  /// - Parameter number: less than one counts as one.
  package init(_ number: Int) { self.number = Atomic(max(1, number)) }

  /// How many there may be.
  package var value: Int { number.load(ordering: .relaxed) }

  /// Changes it. Connections that are too many end when they have sent what they took.
  package func set(_ number: Int) {
    let number = max(1, number)
    guard self.number.exchange(number, ordering: .relaxed) > number else { return }
    for listener in listeners.withLock({ $0 }) { listener() }
  }

  /// Calls the listener whenever there may be fewer.
  func whenLowered(_ listener: @escaping @Sendable () -> Void) {
    listeners.withLock { $0.append(listener) }
  }
}
