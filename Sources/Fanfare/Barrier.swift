/// Lets no push through for a while after the engine has stopped, longer each time in a row: a
/// server that refuses everything is not to be asked again and again. A value.
struct Barrier {
  private static let longest: UInt64 = 60

  private var failures = 0
  private var cause: Obstacle?
  private var end: UInt64 = 0

  /// The reason not to send now.
  func obstacle(_ now: () -> UInt64) -> Obstacle? {
    guard let cause, now() < end else { return nil }
    return cause
  }

  mutating func close(for cause: Obstacle, now: UInt64) {
    let seconds = min(1 << UInt64(min(failures, 10)), Self.longest)
    (failures, self.cause, end) = (failures + 1, cause, now + seconds * 1_000_000_000)
  }

  /// Forgets all failures.
  mutating func open() { self = Barrier() }
}
