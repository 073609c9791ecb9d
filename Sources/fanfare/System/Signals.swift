internal import Foundation
internal import Synchronization

/// SIGINT and SIGTERM, taken by a thread of their own. The first asks for an orderly end, the
/// second ends the process at once.
final class Signals: Sendable {
  private let first = Atomic<Int32>(0)

  /// The signal that asked for the end; nil when none did.
  var received: ExitCode? {
    switch first.load(ordering: .acquiring) {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    default: nil
    }
  }

  /// Takes the signals over. To be called before other threads are started, for they inherit what
  /// is blocked.
  func take(_ stop: @escaping @Sendable () -> Void) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let signals = set
    Thread.detachNewThread { [self] in
      first.store(Self.next(of: signals), ordering: .releasing)
      stop()
      _exit(128 + Self.next(of: signals))
    }
  }

  private static func next(of signals: sigset_t) -> Int32 {
    var set = signals
    var signal: Int32 = 0
    while sigwait(&set, &signal) != 0 {}
    return signal
  }
}
