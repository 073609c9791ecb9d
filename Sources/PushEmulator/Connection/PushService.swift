internal import HTTP2
internal import Synchronization

/// Starts a thread for each client, up to the connection limit.
struct PushService: Sendable {
  let context: ConnectionContext
  let threads: ThreadGroup

  func take(_ socket: consuming AcceptedSocket) {
    let open = context.openConnections.add(1, ordering: .relaxed).newValue
    guard open <= context.behavior.configuration.connectionLimit else {
      context.openConnections.subtract(1, ordering: .relaxed)
      context.refusals.add(1, ordering: .relaxed)
      socket.resetOnClose()
      return
    }
    let number = context.connections.add(1, ordering: .relaxed).newValue
    let isServed = threads.start(with: socket) { socket in
      guard let socket = atDistance(socket) else { return }
      ConnectionLoop.serve(socket, number: number, context)
    } afterwards: { [context] in
      context.openConnections.subtract(1, ordering: .relaxed)
    }
    if !isServed { context.openConnections.subtract(1, ordering: .relaxed) }
  }

  /// The socket, behind a relay if a distance is simulated; nil if the system lacks resources.
  private func atDistance(_ socket: consuming AcceptedSocket) -> AcceptedSocket? {
    let distance = context.behavior.configuration.currentDistance
    if distance == Distance() { return socket }
    return socket.relayed(wake: context.stopSignal) { sockets in
      threads.start {
        var relay = DistantRelay(sockets, distance, context)
        relay.run()
      }
    }
  }
}

extension ThreadGroup {
  /// Starts a thread that serves a client.
  ///
  /// - Returns: false if the system cannot create another thread; then nothing is done.
  func start(
    with socket: consuming AcceptedSocket,
    _ serve: @escaping @Sendable (consuming AcceptedSocket) -> Void,
    afterwards: @escaping @Sendable () -> Void
  ) -> Bool {
    let handover = Handover(socket)
    return start {
      if let socket = handover.take() { serve(socket) }
      afterwards()
    }
  }
}

/// Passes a socket into a thread's closure, which cannot consume its captures.
private final class Handover: Sendable {
  private let socket: Mutex<AcceptedSocket?>

  init(_ socket: consuming sending AcceptedSocket) { self.socket = Mutex(socket) }

  func take() -> AcceptedSocket? { socket.withLock { $0.take() } }
}
