internal import Synchronization

/// The places for clients that follow or wait, each of which keeps a connection for long.
final class Places: Sendable {
  /// The number of places: half of the connections, so that the others always get an answer.
  static let limit = HTTPLimits().connections / 2

  private let taken = Atomic(0)

  /// Takes a place.
  ///
  /// - Throws: `HTTPRefusal` if there is none left.
  func take() throws(HTTPRefusal) -> Place {
    let place = Place(in: self)
    guard taken.load(ordering: .relaxed) <= Self.limit else {
      throw HTTPRefusal(
        HTTPRefusal.unavailable, "\(Self.limit) clients follow the inbox or wait already.",
        fix: "End one of them, or try again later.")
    }
    return place
  }

  fileprivate func change(by count: Int) { taken.add(count, ordering: .relaxed) }
}

/// A place that is taken until this is released.
final class Place: Sendable {
  private let places: Places

  fileprivate init(in places: Places) {
    self.places = places
    places.change(by: 1)
  }

  deinit { places.change(by: -1) }
}
