internal import Synchronization

/// The places for clients that follow or wait, each of which keeps a connection for long.
package final class Places: Sendable {
  /// The number of places: half of the connections, so that the others always get an answer.
  package static let limit = HTTPLimits().connections / 2

  private let taken = Atomic(0)

  package init() {}

  /// Takes a place.
  ///
  /// - Throws: `HTTPRefusal` if there is none left.
  package func take() throws(HTTPRefusal) -> StreamPlace {
    let place = StreamPlace(in: self)
    guard taken.load(ordering: .relaxed) <= Self.limit else {
      throw HTTPRefusal(
        HTTPRefusal.unavailable, "\(Self.limit) clients follow or wait already.",
        fix: "End one of them, or try again later.")
    }
    return place
  }

  fileprivate func change(by count: Int) { taken.add(count, ordering: .relaxed) }
}

/// A place that is taken until this is released.
package final class StreamPlace: Sendable {
  private let places: Places

  fileprivate init(in places: Places) {
    self.places = places
    places.change(by: 1)
  }

  deinit { places.change(by: -1) }
}

/// The schedule on which an idle stream sends something to keep the connection alive.
package struct KeepAliveSchedule {
  /// The interval in milliseconds.
  static let interval: Int64 = 15_000

  private var due: Int64?

  package init() {}

  /// Returns the time at which something must be sent next.
  package mutating func next(_ now: Int64) -> Int64 {
    let time = due ?? now + Self.interval
    due = time
    return time
  }

  /// Returns true if something must be sent now, and schedules the next time.
  package mutating func isDue(_ now: Int64) -> Bool {
    guard now >= next(now) else { return false }
    due = now + Self.interval
    return true
  }
}
