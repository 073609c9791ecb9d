/// One direction of a connection to a server at a distance: it decides when bytes arrive. A value that
/// takes bytes and times, in milliseconds from any start.
struct DistantLine {
  /// What arrives at the other end.
  enum Item: Hashable {
    case bytes(ArraySlice<UInt8>)
    /// The sender has ended its direction.
    case end
    /// The sender has reset the connection.
    case reset
  }

  private struct Row {
    var item: Item
    /// In microseconds since the connect.
    let arrival: Int64
  }

  /// What a narrow line carries at once.
  private static let packetSize = 1500
  private static let limits = 65_536...4_194_304

  private let distance: Distance
  private let start: Int64
  private let earliest: Int64
  private let limit: Int
  /// What is on its way, oldest first; what is in front of `first` has arrived.
  private var rows: [Row] = []
  private var first = 0
  private var held = 0
  /// When the last bit that was put in sets out.
  private var departure: Int64 = 0

  /// - Parameters:
  ///   - start: when the connection was accepted.
  ///   - awaitsConnect: whether nothing arrives before a connect at this distance could have been
  ///     answered, and bytes have come after that. Loopback answers it at once.
  init(_ distance: Distance, since start: Int64, awaitsConnect: Bool) {
    self.distance = distance
    self.start = start
    earliest = awaitsConnect ? Int64(distance.roundTripMilliseconds) * 1500 : 0
    // A second's worth waits in front of a narrow line, as in a router.
    let second = distance.bitsPerSecond.map { $0 / 8 } ?? Self.limits.upperBound
    limit = min(max(second, Self.limits.lowerBound), Self.limits.upperBound)
  }

  /// Whether it takes more: otherwise the sender has to wait.
  var hasRoom: Bool { held < limit }

  /// When the next item arrives; nil when none is on its way.
  var nextArrival: Int64? { next.map { start + ($0.arrival + 999) / 1000 } }

  private var next: Row? { first < rows.count ? rows[first] : nil }

  /// Takes what was sent.
  mutating func put(_ item: Item, at now: Int64) {
    guard case .bytes(let bytes) = item else { return add(item, count: 0, at: now) }
    held += bytes.count
    let size = distance.bitsPerSecond == nil ? bytes.count : Self.packetSize
    var rest = bytes
    while !rest.isEmpty {
      add(.bytes(rest.prefix(size)), count: min(size, rest.count), at: now)
      rest = rest.dropFirst(size)
    }
  }

  private mutating func add(_ item: Item, count: Int, at now: Int64) {
    let ready = max(departure, (now - start) * 1000)
    departure = distance.stalls?.passed(by: ready) ?? ready
    if let bits = distance.bitsPerSecond { departure += Int64(count) * 8_000_000 / Int64(bits) }
    let arrival = departure + Int64(distance.roundTripMilliseconds) * 500
    rows.append(Row(item: item, arrival: max(arrival, earliest)))
  }

  /// What has arrived by now, the first of it; nil when nothing has.
  func arrived(by now: Int64) -> Item? {
    guard let next, next.arrival <= (now - start) * 1000 else { return nil }
    return next.item
  }

  /// Takes out what was delivered: so many bytes of the first item, or an item without bytes.
  mutating func remove(_ count: Int = 0) {
    held -= count
    if case .bytes(let bytes) = next?.item, bytes.count > count {
      rows[first].item = .bytes(bytes.dropFirst(count))
      return
    }
    rows[first].item = .end
    first += 1
    guard first >= 256, first > rows.count / 2 else { return }
    rows.removeFirst(first)
    first = 0
  }
}
