internal import Synchronization

/// The inbox: the most recent requests that the emulator received, up to a limit.
///
/// It is thread-safe. A follower keeps a position, never a copy: pushes already discarded when it
/// asks count as missed.
public final class ReceivedPushes: Sendable {
  /// A position in the sequence of events: everything up to it is known.
  public struct Position: Sendable, Hashable {
    /// The number of the last known push; 0 for none.
    public var id: Int
    /// The number of times the inbox had been cleared.
    public var clears: Int
  }

  /// An event after a position.
  public enum Event: Sendable {
    /// A request arrived.
    case received(ReceivedPush)
    /// The inbox was cleared, up to the push with this number.
    case cleared(Int)
    /// This many requests arrived and have been discarded.
    case missed(Int)
  }

  /// Some of the pushes that match a filter.
  public struct Page: Sendable {
    /// The pushes, in the order of their numbers.
    public var pushes: [ReceivedPush]
    /// The number of the last push examined; the next page starts after it.
    public var cursor: Int
  }

  /// The counts of an inbox.
  public struct Counts: Sendable, Hashable {
    /// The number of requests in the inbox.
    public var kept: Int
    /// The number of requests received, including discarded ones.
    public var received: Int
  }

  /// A registered call; see ``call(after:_:)``.
  public struct Registration: Sendable, Hashable {
    fileprivate let number: Int
  }

  fileprivate struct State {
    var ring: [ReceivedPush] = []
    /// The index of the oldest one.
    var start = 0
    var last = 0
    var clears = 0
    /// The number of the last push that was cleared.
    var clearedUpTo = 0
    var registrations = 0
    var owed: [Int: @Sendable () -> Void] = [:]
  }

  /// The maximum number of pushes kept.
  public let limit: Int
  private let state = Mutex(State())

  /// Creates an empty inbox.
  ///
  /// - Parameter limit: the maximum number of pushes kept, at least 1.
  public init(keeping limit: Int) { self.limit = max(1, limit) }
}

// Receiving and clearing.
extension ReceivedPushes {
  /// Takes requests with consecutive numbers and leaves the ones they displace in the array:
  /// swapping avoids copies, and freeing memory under the lock.
  func take(_ pushes: inout [ReceivedPush]) {
    tell { state in
      for index in pushes.indices { state.take(&pushes[index], limit: limit) }
    }
  }

  /// Removes every push. Numbering continues.
  public func clear() {
    tell { state in
      state.ring = []
      state.start = 0
      state.clears += 1
      state.clearedUpTo = state.last
    }
  }

  /// Changes the state, then makes all registered calls on this thread.
  private func tell(_ change: (inout sending State) -> Void) {
    let owed = state.withLock { state in
      change(&state)
      defer { state.owed.removeAll(keepingCapacity: true) }
      return state.owed.isEmpty ? [] : Array(state.owed.values)
    }
    for call in owed { call() }
  }
}

// Reading.
extension ReceivedPushes {
  /// The number of requests kept and received.
  public var counts: Counts {
    state.withLock { Counts(kept: $0.ring.count, received: $0.last) }
  }

  /// The push with this number; nil if it was discarded or has not arrived yet.
  public func push(_ id: Int) -> ReceivedPush? {
    state.withLock { state in
      state.kept.contains(id) ? state[id] : nil
    }
  }

  /// Returns the first pushes after a number that match a filter.
  ///
  /// - Parameters:
  ///   - limit: the maximum number to return.
  ///   - most: the maximum number to examine.
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

  /// The number of pushes filtered at a time, outside the lock.
  private static let step = 256

  private func pushes(after id: Int, atMost count: Int) -> [ReceivedPush] {
    state.withLock { state in
      let first = max(min(id, state.last) + 1, state.kept.lowerBound)
      return (first..<max(first, state.kept.upperBound)).prefix(count).map { state[$0] }
    }
  }
}

// Following.
extension ReceivedPushes {
  /// The current position: everything so far is known.
  public var position: Position {
    state.withLock { Position(id: $0.last, clears: $0.clears) }
  }

  /// The position of a client that last saw the push with this number. If later pushes were
  /// cleared, the client has yet to learn that.
  public func position(after id: Int) -> Position {
    state.withLock { state in
      let id = min(max(0, id), state.last)
      return Position(id: id, clears: id < state.clearedUpTo ? state.clears - 1 : state.clears)
    }
  }

  /// Returns the events after a position, oldest first, and advances the position.
  ///
  /// - Parameter limit: the maximum number of pushes to return.
  public func events(after position: inout Position, limit: Int) -> [Event] {
    var events: [Event] = []
    let isCleared = state.withLock { state in
      defer { position.clears = state.clears }
      // Cleared pushes do not count as missed: they are treated as seen.
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

  /// Makes a call once, on the first event after a position; immediately, on this thread, if there
  /// already is one. Otherwise the thread that causes the event calls, so it must return quickly.
  ///
  /// - Returns: the registration, for ``cancel(_:)``; nil if the call was already made.
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

  /// Cancels a registered call. It may already be running on another thread.
  public func cancel(_ registration: Registration) {
    state.withLock { _ = $0.owed.removeValue(forKey: registration.number) }
  }
}

extension ReceivedPushes.State {
  /// The numbers of the pushes in the inbox.
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
