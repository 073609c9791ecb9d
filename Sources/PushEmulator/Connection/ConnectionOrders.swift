internal import HTTP2
internal import Synchronization

/// An order from outside to an open connection.
enum ConnectionOrder: Sendable {
  /// Send GOAWAY.
  case goAway(ConnectionEnd)
  /// End the connection.
  case drop(Drop)
}

/// The open connections, registered so they can receive orders while they wait.
final class ConnectionOrders: Sendable {
  private let desks = Mutex<[Int: OrderQueue]>([:])

  /// Registers a connection.
  func enter(_ number: Int, _ desk: OrderQueue) { desks.withLock { $0[number] = desk } }

  /// Removes a connection.
  func leave(_ number: Int) { desks.withLock { _ = $0.removeValue(forKey: number) } }

  /// Gives an order to every connection.
  ///
  /// - Returns: the number of connections.
  func give(_ order: ConnectionOrder) -> Int {
    let all = desks.withLock { Array($0.values) }
    for desk in all { desk.put(order) }
    return all.count
  }

  /// Wakes every connection.
  func wakeAll() {
    for desk in desks.withLock({ Array($0.values) }) { desk.wake.call() }
  }
}

/// The queue of orders for one connection.
final class OrderQueue: Sendable {
  /// The signal the connection waits on.
  let wake: Wake
  private let hasSome = Atomic(false)
  private let orders = Mutex<[ConnectionOrder]>([])

  init(_ wake: Wake) { self.wake = wake }

  func put(_ order: ConnectionOrder) {
    orders.withLock { $0.append(order) }
    hasSome.store(true, ordering: .releasing)
    wake.call()
  }

  /// Takes all orders received since the last call.
  func take() -> [ConnectionOrder] {
    guard hasSome.load(ordering: .acquiring) else { return [] }
    return orders.withLock { orders in
      hasSome.store(false, ordering: .relaxed)
      wake.clear()
      defer { orders = [] }
      return orders
    }
  }
}

/// The connections whose TLS handshake is under way. A client that does not finish its own keeps no
/// place from those that do: if there are too many, the oldest ends.
final class Handshakes: Sendable {
  private let wakes = Mutex<[Int: Wake]>([:])

  /// Adds a connection.
  ///
  /// - Parameters:
  ///   - number: its number; a later one has a higher number.
  ///   - wake: ends its handshake.
  ///   - most: the number of handshakes that may be under way.
  func enter(_ number: Int, _ wake: Wake, most: Int) {
    wakes.withLock { wakes in
      wakes[number] = wake
      guard wakes.count > most, let oldest = wakes.keys.min() else { return }
      wakes.removeValue(forKey: oldest)?.call()
    }
  }

  /// Removes a connection.
  func leave(_ number: Int) { wakes.withLock { _ = $0.removeValue(forKey: number) } }

  /// Ends every handshake.
  func wakeAll() {
    for wake in wakes.withLock({ Array($0.values) }) { wake.call() }
  }
}
