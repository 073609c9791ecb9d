internal import HTTP2
internal import Synchronization

/// The work of the thread that takes connections and starts a thread for each.
final class Acceptor: Sendable {
  private let listener: Mutex<Listener?>
  private let context: ConnectionContext
  private let threads: ThreadGroup

  init(_ listener: Listener, _ context: ConnectionContext, _ threads: ThreadGroup) {
    self.listener = Mutex(listener)
    self.context = context
    self.threads = threads
  }

  /// Takes connections until the emulator stops; the port is free again when this returns.
  func run() {
    guard let listener = listener.withLock({ $0.take() }) else { return }
    while !context.isStopped {
      do {
        if let socket = try listener.accept(wake: context.stopSignal) { take(socket) }
      } catch {
        // Such as too many open files: it passes when a connection ends, and until then the waiting
        // connection would be offered again and again.
        context.stopSignal.wait(milliseconds: 100, keepsCalls: true)
      }
    }
  }

  private func take(_ socket: consuming AcceptedSocket) {
    let open = context.openConnections.add(1, ordering: .relaxed).newValue
    guard open <= context.configuration.connectionLimit else {
      context.openConnections.subtract(1, ordering: .relaxed)
      context.refusals.add(1, ordering: .relaxed)
      socket.resetOnClose()
      return
    }
    let number = context.connections.add(1, ordering: .relaxed).newValue
    let handover = Handover(socket)
    let isServed = threads.start { [context] in
      if let socket = handover.take() {
        ConnectionLoop.serve(socket, number: number, context)
      }
      context.openConnections.subtract(1, ordering: .relaxed)
    }
    if !isServed { context.openConnections.subtract(1, ordering: .relaxed) }
  }
}

/// Carries a socket into the closure of a thread, which cannot consume what it captures.
private final class Handover: Sendable {
  private let socket: Mutex<AcceptedSocket?>

  init(_ socket: consuming sending AcceptedSocket) { self.socket = Mutex(socket) }

  func take() -> AcceptedSocket? { socket.withLock { $0.take() } }
}
