internal import POSIX

/// Clocks and randomness, injected so that tests control both.
public struct RunClock: Sendable {
  /// Nanoseconds since some moment; never goes back, and continues while the machine sleeps.
  public var monotonic: @Sendable () -> UInt64

  /// Milliseconds since 1970 UTC, from the wall clock.
  public var epochMilliseconds: @Sendable () -> Int64

  /// 64 random bits.
  public var random: @Sendable () -> UInt64

  /// Waits between two connection attempts, until the wake is signaled or this many milliseconds by
  /// `monotonic` have passed.
  public var wait: @Sendable (Wake, _ milliseconds: Int) -> Void

  /// Creates a clock.
  public init(
    monotonic: @escaping @Sendable () -> UInt64,
    epochMilliseconds: @escaping @Sendable () -> Int64,
    random: @escaping @Sendable () -> UInt64,
    wait: @escaping @Sendable (Wake, Int) -> Void = { $0.wait(milliseconds: $1) }
  ) {
    self.monotonic = monotonic
    self.epochMilliseconds = epochMilliseconds
    self.random = random
    self.wait = wait
  }

  /// Whole seconds since 1970 UTC.
  public var epochSeconds: Int64 { epochMilliseconds() / 1000 }

  /// A random number from 0 up to but not including 1.
  public func chance() -> Double { Double(random() >> 11) / Double(1 << 53) }

  /// The system's clocks and random numbers.
  public static let system = RunClock(
    monotonic: { UInt64(time(of: sleeplessClock).nanoseconds) },
    epochMilliseconds: { time(of: CLOCK_REALTIME).milliseconds },
    random: { UInt64.random(in: .min ... .max) })
}

// Linux stops CLOCK_MONOTONIC while the machine sleeps; macOS does not.
#if os(Linux)
private let sleeplessClock = CLOCK_BOOTTIME
#else
private let sleeplessClock = CLOCK_MONOTONIC
#endif

private func time(of clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  return time
}
