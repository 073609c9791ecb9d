internal import HTTP2
internal import POSIX
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

/// The work of the thread that accepts connections.
final class Acceptor: Sendable {
  private let listener: Mutex<Listener?>
  private let context: ConnectionContext
  private let take: @Sendable (consuming AcceptedSocket) -> Void

  /// - Parameter take: receives each connection; it must not block.
  init(
    _ listener: Listener, _ context: ConnectionContext,
    take: @escaping @Sendable (consuming AcceptedSocket) -> Void
  ) {
    self.listener = Mutex(listener)
    self.context = context
    self.take = take
  }

  /// Accepts connections until the emulator stops. The port is free again when this returns.
  func run() {
    guard let listener = listener.withLock({ $0.take() }) else { return }
    while !context.isStopped {
      do {
        if let socket = try listener.accept(wake: context.stopSignal) { take(socket) }
      } catch {
        // For example, too many open files. The condition ends when a connection does; until then,
        // retrying at once would be a busy loop.
        context.stopSignal.wait(milliseconds: 100, keepsCalls: true)
      }
    }
  }
}

/// Threads that are started one by one and awaited together.
final class ThreadGroup: Sendable {
  private static let stackSize = 512 * 1024
  private let running = Atomic(0)
  private let ended: Wake

  /// - Parameter ended: a signal for this group's exclusive use.
  init(ended: Wake) { self.ended = ended }

  /// Starts a thread.
  ///
  /// - Returns: false if the system cannot create one; the work is then not done.
  func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    running.add(1, ordering: .relaxed)
    let isStarted = Thread.start(stackSize: Self.stackSize) { [self] in
      body()
      leave()
    }
    if !isStarted { leave() }
    return isStarted
  }

  /// Waits until every thread has ended.
  func wait() {
    while running.load(ordering: .acquiring) > 0 { ended.wait(milliseconds: nil) }
    // Another thread may be waiting too.
    ended.call()
  }

  private func leave() {
    if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { ended.call() }
  }
}
