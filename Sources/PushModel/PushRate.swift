/// How many pushes go out in how much time, over all connections.
public struct PushRate: Sendable, Hashable {
  /// The pause from one attempt to the next, in nanoseconds.
  public let interval: UInt64

  /// Whether it is at most 2,000 a second: then small chunks cost nothing, and leave fewer pushes in
  /// doubt after a kill.
  public var isLow: Bool { interval >= 500_000 }

  /// So many attempts in so many milliseconds, evenly; nil unless both are positive, and for more
  /// than a thousand million a second.
  public init?(_ count: Int, perMilliseconds milliseconds: Int) {
    guard count > 0, milliseconds > 0 else { return nil }
    let nanoseconds = Double(milliseconds) * 1e6 / Double(count)
    guard nanoseconds >= 1, nanoseconds < 1e18 else { return nil }
    interval = UInt64(nanoseconds)
  }

  /// A rate as people write it: `500`, `500/s`, `30/m`, at most a million; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let units = ["s": 1000, "m": 60_000]
    guard let count = Int(parts[0]), count <= 1_000_000,
      let unit = units[parts.count > 1 ? String(parts[1]) : "s"]
    else { return nil }
    self.init(count, perMilliseconds: unit)
  }
}
