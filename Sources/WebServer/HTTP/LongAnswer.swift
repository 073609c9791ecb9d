internal import CMicroHTTPD
internal import POSIX
internal import Synchronization

/// An answer that takes long, and is therefore made on a thread of its own, so that the server's
/// thread has time for other clients.
final class LongAnswer: Sleeper, @unchecked Sendable {
  /// The answer, once it is made.
  private let response = Mutex<HTTPResponse?>(nil)
  /// Used by the server's thread, and while the connection sleeps by `SleepingStreams`.
  var isAbandoned = false

  /// Only one is made at a time, because each may take much memory.
  private static let turn = Mutex(())

  /// Begins to make it. The connection has to be suspended already.
  func begin(
    waking sleeping: SleepingStreams, _ make: @escaping @Sendable () -> HTTPResponse
  ) {
    let work: @Sendable () -> Void = { [self] in
      Self.turn.withLock { _ in
        let made = make()
        response.withLock { $0 = made }
        fanfare_release_memory()
      }
      sleeping.resume(self)
    }
    if !Thread.start(work) { work() }
  }

  /// Takes the answer; nil while it is not made.
  func take() -> HTTPResponse? { response.withLock { $0.take() } }
}
