// What ThreadSanitizer must find and must not find: threads that share two numbers under a contended
// Mutex, and with the argument `race` a third number without one.
import Foundation
import Synchronization

final class Shared: @unchecked Sendable {
  let mutex = Mutex(0)
  /// Protected by the mutex.
  var guarded = 0
  /// Protected by nothing.
  var bare = 0
}

let shared = Shared()
let isRacing = CommandLine.arguments.contains("race")
let ended = DispatchSemaphore(value: 0)
for _ in 0..<4 {
  Thread.detachNewThread {
    for _ in 0..<20_000 {
      shared.mutex.withLock {
        $0 += 1
        shared.guarded += 1
      }
    }
    if isRacing { shared.bare += 1 }
    ended.signal()
  }
}
for _ in 0..<4 { ended.wait() }
