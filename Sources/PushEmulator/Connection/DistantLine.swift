internal import HTTP2

/// One direction of a connection to a distant server: it decides when bytes arrive. A value that
/// takes bytes and times, in milliseconds from any start.
struct DistantLine {
  /// An event at the receiving end.
  enum Item: Hashable {
    case bytes(ArraySlice<UInt8>)
    /// The sender has ended its direction.
    case end
    /// The sender has reset the connection.
    case reset
  }

  private struct Row {
    var item: Item
    /// The arrival in microseconds since the connect.
    let arrival: Int64
  }

  /// The unit of transmission on a line with limited bandwidth.
  private static let packetSize = 1500
  private static let limits = 65_536...4_194_304

  private let distance: Distance
  private let start: Int64
  private let earliest: Int64
  private let limit: Int
  /// The items in transit, oldest first; those before `first` have arrived.
  private var rows: [Row] = []
  private var first = 0
  private var held = 0
  /// The time the last bit put in leaves the sender, in microseconds since the connect.
  private var departure: Int64 = 0

  /// - Parameters:
  ///   - start: the time the connection was accepted.
  ///   - awaitsConnect: lets nothing arrive within 1.5 round trips, the time for a connect and one
  ///     transit. Loopback answers a connect at once.
  init(_ distance: Distance, since start: Int64, awaitsConnect: Bool) {
    self.distance = distance
    self.start = start
    earliest = awaitsConnect ? Int64(distance.roundTripMilliseconds) * 1500 : 0
    // Up to a second's worth queues in front of a narrow line, as in a router.
    let second = distance.bitsPerSecond.map { $0 / 8 } ?? Self.limits.upperBound
    limit = min(max(second, Self.limits.lowerBound), Self.limits.upperBound)
  }

  /// The line accepts more bytes. If false, the sender has to wait.
  var hasRoom: Bool { held < limit }

  /// The time the next item arrives; nil if none is in transit.
  var nextArrival: Int64? { next.map { start + ($0.arrival + 999) / 1000 } }

  private var next: Row? { first < rows.count ? rows[first] : nil }

  /// Accepts sent items.
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

  /// The first item that has arrived by now; nil if none has.
  func arrived(by now: Int64) -> Item? {
    guard let next, next.arrival <= (now - start) * 1000 else { return nil }
    return next.item
  }

  /// Removes what was delivered: this many bytes of the first item, or an item without bytes.
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

/// The work of a thread that delays the traffic between a client and its server.
struct DistantRelay {
  private struct Direction {
    let from: SocketRelay.Sides
    let to: SocketRelay.Sides
    var line: DistantLine
    /// More bytes may come.
    var isOpen = true
    /// Arrived bytes have to wait for room in the socket.
    var isBlocked = false
    /// Everything has been delivered.
    var isOver = false

    var isReading: Bool { isOpen && line.hasRoom }
  }

  private let sockets: SocketRelay
  private let context: ConnectionContext
  private let uptime: @Sendable () -> Int64
  private var directions: [Direction]

  init(_ sockets: SocketRelay, _ distance: Distance, _ context: ConnectionContext) {
    self.sockets = sockets
    self.context = context
    uptime = context.behavior.configuration.uptime
    let now = uptime()
    directions = [
      Direction(
        from: .client, to: .server, line: DistantLine(distance, since: now, awaitsConnect: true)),
      Direction(
        from: .server, to: .client, line: DistantLine(distance, since: now, awaitsConnect: false)),
    ]
  }

  /// Relays bytes until both directions have ended, one side resets, or the emulator stops.
  mutating func run() {
    while !context.isStopped {
      for index in directions.indices where !directions[index].isOver {
        guard deliver(&directions[index]) else { return sockets.resetOnClose() }
      }
      if directions.allSatisfy(\.isOver) { return }
      let readable = wait()
      for index in directions.indices where readable.contains(directions[index].from) {
        if directions[index].isReading { read(&directions[index]) }
      }
    }
  }

  /// Delivers what has arrived; false if a reset has.
  private func deliver(_ direction: inout Direction) -> Bool {
    direction.isBlocked = false
    while let item = direction.line.arrived(by: uptime()) {
      switch item {
      case .bytes(let bytes):
        switch sockets.send(bytes, to: direction.to) {
        case 0?:
          direction.isBlocked = true
          return true
        case let count?: direction.line.remove(count)
        case nil:
          // That side is gone, but its last bytes still have to be relayed the other way.
          (direction.isOpen, direction.isOver) = (false, true)
          return true
        }
      case .end:
        sockets.endSending(to: direction.to)
        direction.isOver = true
        return true
      case .reset: return false
      }
    }
    return true
  }

  private func wait() -> SocketRelay.Sides {
    var (reading, writing): (SocketRelay.Sides, SocketRelay.Sides) = ([], [])
    var due: Int64?
    for direction in directions where !direction.isOver {
      if direction.isReading { reading.insert(direction.from) }
      if direction.isBlocked {
        writing.insert(direction.to)
      } else if let arrival = direction.line.nextArrival {
        due = min(due ?? arrival, arrival)
      }
    }
    return sockets.wait(
      reading: reading, writing: writing, wake: context.stopSignal,
      milliseconds: due.map { Int(max(0, $0 - uptime())) })
  }

  private func read(_ direction: inout Direction) {
    switch sockets.receive(from: direction.from) {
    case .nothing: return
    case .bytes(let bytes): return direction.line.put(.bytes(bytes[...]), at: uptime())
    case .end: direction.line.put(.end, at: uptime())
    case .reset: direction.line.put(.reset, at: uptime())
    }
    direction.isOpen = false
  }
}
