/// How many connections a run opens.
public enum ConnectionCount: Sendable, Hashable {
  /// One, and more for as long as they help.
  case auto
  /// This many from the start, whatever becomes of them.
  case fixed(Int)

  /// The most that a run opens by itself.
  public static let mostAutomatic = 16

  /// The numbers that can be given.
  public static let numbers = 1...64

  /// As people write it: `auto`, or a number from 1 to 64; nil for anything else.
  public init?(_ text: String) {
    if text == Self.auto.text {
      self = .auto
    } else if let count = Int(text), Self.numbers.contains(count) {
      self = .fixed(count)
    } else {
      return nil
    }
  }

  /// As it is written.
  public var text: String {
    switch self {
    case .auto: "auto"
    case .fixed(let count): "\(count)"
    }
  }

  /// How many there are before anything is known.
  public var atStart: Int {
    switch self {
    case .auto: 1
    case .fixed(let count): max(1, count)
    }
  }
}

/// How many connections a run had, and what kept it from having more.
public struct ConnectionFigures: Sendable, Hashable {
  /// What keeps a run from opening more connections.
  public enum Limit: String, Sendable, Hashable, CaseIterable {
    /// The number was given.
    case given
    /// There was room for all that was to be sent, or too little left to send.
    case enough
    /// The run ended before it was known whether more would have helped.
    case ended
    /// The last ones that were added brought less than a tenth more.
    case noGain
    /// The server refused pushes, slowed down or closed connections.
    case server
    /// No run opens more by itself.
    case most
    /// The process has no file descriptors or threads left.
    case system
  }

  /// The most that were in use at once.
  public var most: Int
  /// Why there were no more, as it stood at the end.
  public var limit: Limit

  /// Figures of a run.
  public init(most: Int, limit: Limit) { (self.most, self.limit) = (most, limit) }
}
