internal import HTTP2
internal import Synchronization

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
