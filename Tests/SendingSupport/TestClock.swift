package import HTTP2
import Synchronization

/// A clock whose pauses take no time: they only move it on.
package final class TestClock: Sendable {
  private let skipped = Atomic<UInt64>(0)
  private let lengths = Mutex<[Int]>([])

  package init() {}

  /// How long the pauses were to be, in milliseconds.
  package var pauses: [Int] { lengths.withLock { $0 } }

  /// Lets time pass at once.
  package func skip(seconds: UInt64) { skipped.add(seconds * 1_000_000_000, ordering: .relaxed) }

  package var clock: RunClock {
    var clock = RunClock.system
    clock.monotonic = { [self] in
      RunClock.system.monotonic() + skipped.load(ordering: .relaxed)
    }
    clock.wait = { [self] _, milliseconds in
      skipped.add(UInt64(milliseconds) * 1_000_000, ordering: .relaxed)
      lengths.withLock { $0.append(milliseconds) }
    }
    return clock
  }
}
