internal import HTTP2
internal import Synchronization

/// What connections are told to do while they are open, from outside.
enum ConnectionOrder: Sendable {
  /// To send GOAWAY.
  case goAway(ConnectionEnd)
  /// To end.
  case drop(Drop)
}

/// The open connections, so that they can be told something while they wait.
final class ConnectionOrders: Sendable {
  private let desks = Mutex<[Int: OrderDesk]>([:])

  /// Enters a connection.
  func enter(_ number: Int, _ desk: OrderDesk) { desks.withLock { $0[number] = desk } }

  /// Strikes a connection out.
  func leave(_ number: Int) { desks.withLock { _ = $0.removeValue(forKey: number) } }

  /// Gives an order to every connection.
  ///
  /// - Returns: how many there are.
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

/// Where one connection finds its orders.
final class OrderDesk: Sendable {
  /// What the connection waits on.
  let wake: Wake
  private let hasSome = Atomic(false)
  private let orders = Mutex<[ConnectionOrder]>([])

  init(_ wake: Wake) { self.wake = wake }

  func put(_ order: ConnectionOrder) {
    orders.withLock { $0.append(order) }
    hasSome.store(true, ordering: .releasing)
    wake.call()
  }

  /// Takes the orders since the last time.
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
