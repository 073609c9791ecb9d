internal import HTTP2
internal import POSIX
internal import Synchronization

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
