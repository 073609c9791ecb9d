internal import HTTP2
internal import Synchronization

/// The work of the thread that takes connections and hands each on.
final class Acceptor: Sendable {
  private let listener: Mutex<Listener?>
  private let context: ConnectionContext
  private let take: @Sendable (consuming AcceptedSocket) -> Void

  /// - Parameter take: gets each connection; it must not block.
  init(
    _ listener: Listener, _ context: ConnectionContext,
    take: @escaping @Sendable (consuming AcceptedSocket) -> Void
  ) {
    self.listener = Mutex(listener)
    self.context = context
    self.take = take
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
}
