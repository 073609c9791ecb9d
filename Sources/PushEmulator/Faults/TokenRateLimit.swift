/// How many pushes a device token is good for in a span of time; more are answered with 429
/// `TooManyRequests`.
public struct TokenRateLimit: Sendable, Hashable {
  /// How many pushes.
  public var count: Int
  /// In how many milliseconds. A span begins with a push, the next one with the first push after
  /// it.
  public var milliseconds: Int

  /// A limit.
  public init(count: Int, milliseconds: Int) {
    self.count = count
    self.milliseconds = milliseconds
  }
}
