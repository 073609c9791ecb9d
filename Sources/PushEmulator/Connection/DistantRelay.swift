internal import HTTP2

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
