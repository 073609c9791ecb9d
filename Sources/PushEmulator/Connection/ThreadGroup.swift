internal import Dispatch
internal import Foundation

/// Threads that are started one by one and awaited together.
final class ThreadGroup: Sendable {
  private static let stackSize = 512 * 1024
  private let group = DispatchGroup()

  /// Starts a thread.
  func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    let thread = Thread { [group] in
      body()
      group.leave()
    }
    thread.name = name
    thread.stackSize = Self.stackSize
    thread.start()
  }

  /// Waits until every thread has done its work.
  func wait() { group.wait() }
}
