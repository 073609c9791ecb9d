package import PushModel
internal import Synchronization

/// Spreads attempts evenly over time. A value that is given the time.
///
/// Attempts that are slightly late may catch up, since threads never wake on time; no more than
/// that is saved up, so there is no burst.
struct Pacing {
  /// The delay that a late attempt may catch up on, in nanoseconds.
  static let tolerance: UInt64 = 10_000_000

  private let interval: UInt64
  private var next: UInt64 = 0

  init(_ rate: PushRate) { interval = rate.interval }

  /// Asks to make one attempt.
  ///
  /// - Returns: nil when it may go now, otherwise the time at which to ask again.
  mutating func take(now: UInt64) -> UInt64? {
    if next > now { return next }
    next = max(next, now - min(now, Self.tolerance)) + interval
    return nil
  }
}

/// The pacing shared by all connections of a run.
protocol Pacer: AnyObject, Sendable {
  /// Asks to make one attempt.
  ///
  /// - Returns: nil when it may go now, otherwise the time at which to ask again.
  func take(now: UInt64) -> UInt64?
}

/// The pacing of a run that does not share its rate.
final class EvenPacer: Pacer {
  private let pacing: Mutex<Pacing>

  init(_ rate: PushRate) { pacing = Mutex(Pacing(rate)) }

  func take(now: UInt64) -> UInt64? { pacing.withLock { $0.take(now: now) } }
}

/// The time slots in which a worker may send when it shares a rate with others. One thread leases
/// them, and all connections of the run use them.
package final class RateSlots: Sendable {
  private struct State {
    var pacing: SlotPacing
    var asked: UInt64?
  }

  private let state: Mutex<State>

  /// Creates a set without slots: nothing may be sent yet.
  package init(_ rate: PushRate) { state = Mutex(State(pacing: SlotPacing(rate))) }

  /// Adds a slot, in nanoseconds of the run's monotonic clock. A slot that would overlap the last
  /// one is moved after it.
  package func add(start: UInt64, length: UInt64) {
    state.withLock { $0.pacing.add(start: start, length: length) }
  }

  /// The length of the slot to lease now, in milliseconds; nil if there are enough, or no connection
  /// asked to send within the last second.
  ///
  /// All workers together hold half a second of slots, so each of them gets its share in turn, and one
  /// that joins them begins within that time.
  package func wanted(now: UInt64, workers: Int) -> Int? {
    state.withLock { state in
      guard let asked = state.asked, now < asked + 1_000_000_000, state.pacing.ahead(now: now) < 2
      else { return nil }
      return max(Self.slot.shortest, Self.slot.longest / max(1, workers))
    }
  }

  /// In milliseconds.
  private static let slot = (shortest: 25, longest: 250)
}

extension RateSlots: Pacer {
  func take(now: UInt64) -> UInt64? {
    state.withLock { state in
      state.asked = now
      return state.pacing.take(now: now)
    }
  }
}

/// Spreads attempts evenly over time slots that are added as they become known. A value that is
/// given the time.
///
/// Each attempt uses as much slot time as the rate puts between two attempts. Time left at the end
/// of a slot carries over to the next, up to one attempt or a few milliseconds.
struct SlotPacing {
  private struct Slot {
    let start: UInt64
    let end: UInt64
    /// The total length of the slots before it.
    let paidBefore: UInt64
  }

  /// The wait before asking again while no slot is known, in nanoseconds.
  private static let patience: UInt64 = 100_000_000

  private let interval: UInt64
  private let tolerance: UInt64
  /// The slots that have not ended, in order.
  private var slots: [Slot] = []
  private var paid: UInt64 = 0
  private var end: UInt64 = 0
  /// The slot time used so far.
  private var used: UInt64 = 0

  init(_ rate: PushRate) {
    interval = rate.interval
    tolerance = max(rate.interval, Pacing.tolerance)
  }

  mutating func add(start: UInt64, length: UInt64) {
    let start = max(start, end)
    slots.append(Slot(start: start, end: start + length, paidBefore: paid))
    (paid, end) = (paid + length, start + length)
  }

  func ahead(now: UInt64) -> Int { slots.count { $0.end > now } }

  /// Asks to make one attempt.
  ///
  /// - Returns: nil when it may go now, otherwise the time at which to ask again.
  mutating func take(now: UInt64) -> UInt64? {
    slots.removeAll { $0.end <= now }
    guard let slot = slots.first, slot.start <= now else { return nextStart(now) }
    let passed = slot.paidBefore + (now - slot.start)
    let from = max(used, passed - min(passed, tolerance))
    guard from + interval <= slot.paidBefore + (slot.end - slot.start) else {
      slots.removeFirst()
      return nextStart(now)
    }
    if from > passed { return now + (from - passed) }
    used = from + interval
    return nil
  }

  private func nextStart(_ now: UInt64) -> UInt64 { slots.first?.start ?? now + Self.patience }
}
