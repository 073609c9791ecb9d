internal import Synchronization

/// The inbox: the last requests that the emulator received, at most a fixed number of them.
///
/// It may be asked from any thread. Whoever follows it keeps a position, never a copy: what is gone
/// from the inbox when it is asked for counts as missed.
public final class ReceivedPushes: Sendable {
  /// A place in the sequence of what happened: everything up to it is known.
  public struct Position: Sendable, Hashable {
    /// The number of the last push that is known; 0 for none.
    public var id: Int
    /// How many times the inbox had been cleared.
    public var clears: Int
  }

  /// What happened after a position.
  public enum Event: Sendable {
    /// A request came.
    case received(ReceivedPush)
    /// The inbox was cleared, up to the push of this number.
    case cleared(Int)
    /// So many requests came that are no longer there.
    case missed(Int)
  }

  /// Some of the pushes that match a filter.
  public struct Page: Sendable {
    /// The pushes, in the order of their numbers.
    public var pushes: [ReceivedPush]
    /// The number of the last push that was looked at: what to ask for next is after that.
    public var cursor: Int
  }

  /// How many there are.
  public struct Counts: Sendable, Hashable {
    /// How many requests are in the inbox.
    public var kept: Int
    /// How many requests have come, those that are gone included.
    public var received: Int
  }

  /// A call that is owed to somebody; see ``call(after:_:)``.
  public struct Registration: Sendable, Hashable {
    fileprivate let number: Int
  }

  fileprivate struct State {
    var ring: [ReceivedPush] = []
    /// Where the oldest one is.
    var start = 0
    var last = 0
    var clears = 0
    /// The last number that was cleared away.
    var clearedUpTo = 0
    var registrations = 0
    var owed: [Int: @Sendable () -> Void] = [:]
  }

  /// The most that is kept.
  public let limit: Int
  private let state = Mutex(State())

  /// An empty inbox.
  ///
  /// - Parameter limit: the most that is kept, at least 1.
  public init(keeping limit: Int) { self.limit = max(1, limit) }
}

// What happens.
extension ReceivedPushes {
  /// Takes requests whose numbers follow those it has seen, and leaves those that had to go for them:
  /// what is swapped need not be copied, nor freed under the lock.
  func take(_ pushes: inout [ReceivedPush]) {
    tell { state in
      for index in pushes.indices { state.take(&pushes[index], limit: limit) }
    }
  }

  /// Forgets every push. Numbers go on.
  public func clear() {
    tell { state in
      state.ring = []
      state.start = 0
      state.clears += 1
      state.clearedUpTo = state.last
    }
  }

  /// Changes something, and pays the calls that are owed, on this thread.
  private func tell(_ change: (inout sending State) -> Void) {
    let owed = state.withLock { state in
      change(&state)
      defer { state.owed.removeAll(keepingCapacity: true) }
      return state.owed.isEmpty ? [] : Array(state.owed.values)
    }
    for call in owed { call() }
  }
}

// What is asked.
extension ReceivedPushes {
  /// How many there are.
  public var counts: Counts {
    state.withLock { Counts(kept: $0.ring.count, received: $0.last) }
  }

  /// The push of this number; nil when it is gone, or has not come yet.
  public func push(_ id: Int) -> ReceivedPush? {
    state.withLock { state in
      state.kept.contains(id) ? state[id] : nil
    }
  }

  /// The first pushes after a number that match a filter.
  ///
  /// - Parameters:
  ///   - limit: the most that are returned.
  ///   - most: the most that are looked at.
  public func page(
    _ filter: PushFilter = .init(), after id: Int = 0, limit: Int, lookingAt most: Int = .max
  ) -> Page {
    var page = Page(pushes: [], cursor: id)
    var rest = most
    while page.pushes.count < limit, rest > 0 {
      let some = pushes(after: page.cursor, atMost: min(rest, Self.step))
      guard !some.isEmpty else { break }
      rest -= some.count
      for push in some where page.pushes.count < limit {
        page.cursor = push.id
        if filter.matches(push) { page.pushes.append(push) }
      }
    }
    return page
  }

  /// Filters run outside the lock, on so many pushes at a time.
  private static let step = 256

  private func pushes(after id: Int, atMost count: Int) -> [ReceivedPush] {
    state.withLock { state in
      let first = max(id + 1, state.kept.lowerBound)
      let end = min(state.kept.upperBound, first.addingReportingOverflow(count).partialValue)
      return first < end ? (first..<end).map { state[$0] } : []
    }
  }
}

// Following it.
extension ReceivedPushes {
  /// The position now: everything so far is known.
  public var position: Position {
    state.withLock { Position(id: $0.last, clears: $0.clears) }
  }

  /// The position of a client that has seen the push of this number last: if later ones were
  /// cleared away, it has not seen that.
  public func position(after id: Int) -> Position {
    state.withLock { state in
      let id = min(max(0, id), state.last)
      return Position(id: id, clears: id < state.clearedUpTo ? state.clears - 1 : state.clears)
    }
  }

  /// What happened after a position, the earliest first, and moves the position behind it.
  ///
  /// - Parameter limit: the most pushes that are returned.
  public func events(after position: inout Position, limit: Int) -> [Event] {
    var events: [Event] = []
    let isCleared = state.withLock { state in
      defer { position.clears = state.clears }
      // What was cleared away is not missed: it is as if it had been seen.
      guard position.clears != state.clears else { return false }
      position.id = max(position.id, state.clearedUpTo)
      return true
    }
    if isCleared { events.append(.cleared(position.id)) }
    let pushes = pushes(after: position.id, atMost: limit)
    if let first = pushes.first, first.id > position.id + 1 {
      events.append(.missed(first.id - position.id - 1))
    }
    position.id = pushes.last?.id ?? position.id
    return events + pushes.map(Event.received)
  }

  /// Makes a call once, as soon as there is something after a position; at once, on this thread, if
  /// there is already. Otherwise the thread that brings it calls, so it must return quickly.
  ///
  /// - Returns: for ``cancel(_:)``; nil when the call was made.
  public func call(
    after position: Position, _ body: @escaping @Sendable () -> Void
  ) -> Registration? {
    let registration = state.withLock { state -> Registration? in
      guard position.id >= state.last, position.clears == state.clears else { return nil }
      state.registrations += 1
      state.owed[state.registrations] = body
      return Registration(number: state.registrations)
    }
    if registration == nil { body() }
    return registration
  }

  /// Takes a call back. It may be under way on another thread.
  public func cancel(_ registration: Registration) {
    state.withLock { _ = $0.owed.removeValue(forKey: registration.number) }
  }
}

extension ReceivedPushes.State {
  /// The numbers of what is in the inbox.
  var kept: Range<Int> { (last - ring.count + 1)..<(last + 1) }

  subscript(id: Int) -> ReceivedPush { ring[(start + id - kept.lowerBound) % ring.count] }

  mutating func take(_ push: inout ReceivedPush, limit: Int) {
    last = push.id
    if ring.count < limit {
      ring.append(push)
    } else {
      swap(&ring[start], &push)
      start = start + 1 == limit ? 0 : start + 1
    }
  }
}
