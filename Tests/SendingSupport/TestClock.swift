import HTTP2
import Synchronization

/// A clock whose pauses take no time: they only move it on.
final class TestClock: Sendable {
  private let skipped = Atomic<UInt64>(0)
  private let lengths = Mutex<[Int]>([])

  /// How long the pauses were to be, in milliseconds.
  var pauses: [Int] { lengths.withLock { $0 } }

  /// Lets time pass at once.
  func skip(seconds: UInt64) { skipped.add(seconds * 1_000_000_000, ordering: .relaxed) }

  var clock: RunClock {
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
