/// The number of connections that a run opens.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ConnectionCount: Sendable, Hashable {
  /// One at first, and more as long as they help.
  case auto
  /// This many from the start, regardless of success.
  case fixed(Int)

  /// The most connections that a run opens on its own.
  package static let mostAutomatic = 16

  /// The numbers that users may choose.
  package static let numbers = 1...64

  /// Parses `auto` or a number from 1 to 64; nil for anything else.
  package init?(_ text: String) {
    if text == Self.auto.text {
      self = .auto
    } else if let count = Int(text), Self.numbers.contains(count) {
      self = .fixed(count)
    } else {
      return nil
    }
  }

  /// The text form: `auto` or a number.
  package var text: String {
    switch self {
    case .auto: "auto"
    case .fixed(let count): "\(count)"
    }
  }

  /// The number of connections to start with.
  package var atStart: Int {
    switch self {
    case .auto: 1
    case .fixed(let count): max(1, count)
    }
  }
}

/// The number of connections a run had, and the reason it had no more.
public struct ConnectionFigures: Sendable, Hashable {
  /// The reason a run opens no more connections.
  public enum Limit: String, Sendable, Hashable, CaseIterable {
    /// The number was fixed.
    case given
    /// The connections had room for everything, or too little was left to send.
    case enough
    /// The run ended before it was clear whether more would help.
    case ended
    /// The last connections added gained less than a tenth.
    case noGain
    /// The server refused pushes, slowed down or closed connections.
    case server
    /// The run reached the most it opens on its own.
    case most
    /// The process has no file descriptors or threads left.
    case system
  }

  /// The most connections in use at once.
  public var most: Int
  /// The reason there were no more, as of the end of the run.
  public var limit: Limit

  /// Creates the figures of a run.
  public init(most: Int, limit: Limit) { (self.most, self.limit) = (most, limit) }
}

/// The rate of pushes over all connections.
public struct PushRate: Sendable, Hashable {
  /// The time from one attempt to the next, in nanoseconds.
  package let interval: UInt64

  /// The rate is at most 2,000 a second: small chunks then cost nothing and leave fewer pushes in
  /// doubt after a kill.
  package var isLow: Bool { interval >= 500_000 }

  /// Creates a rate of so many attempts in so many milliseconds, evenly spaced; nil unless both are
  /// positive and the rate is at most a billion a second.
  package init?(_ count: Int, perMilliseconds milliseconds: Int) {
    guard count > 0, milliseconds > 0 else { return nil }
    let nanoseconds = Double(milliseconds) * 1e6 / Double(count)
    guard nanoseconds >= 1, nanoseconds < 1e18 else { return nil }
    interval = UInt64(nanoseconds)
  }

  /// Parses a rate such as `500`, `500/s` or `30/m`, up to a million; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let units = ["s": 1000, "m": 60_000]
    guard let count = Int(parts[0]), count <= 1_000_000,
      let unit = units[parts.count > 1 ? String(parts[1]) : "s"]
    else { return nil }
    self.init(count, perMilliseconds: unit)
  }
}
