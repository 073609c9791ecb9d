/// The rate of pushes over all connections.
public struct PushRate: Sendable, Hashable {
  /// The time from one attempt to the next, in nanoseconds.
  public let interval: UInt64

  /// The rate is at most 2,000 a second: small chunks then cost nothing and leave fewer pushes in
  /// doubt after a kill.
  public var isLow: Bool { interval >= 500_000 }

  /// Creates a rate of so many attempts in so many milliseconds, evenly spaced; nil unless both are
  /// positive and the rate is at most a billion a second.
  public init?(_ count: Int, perMilliseconds milliseconds: Int) {
    guard count > 0, milliseconds > 0 else { return nil }
    let nanoseconds = Double(milliseconds) * 1e6 / Double(count)
    guard nanoseconds >= 1, nanoseconds < 1e18 else { return nil }
    interval = UInt64(nanoseconds)
  }

  /// Parses a rate such as `500`, `500/s` or `30/m`, up to a million; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let units = ["s": 1000, "m": 60_000]
    guard let count = Int(parts[0]), count <= 1_000_000,
      let unit = units[parts.count > 1 ? String(parts[1]) : "s"]
    else { return nil }
    self.init(count, perMilliseconds: unit)
  }
}
