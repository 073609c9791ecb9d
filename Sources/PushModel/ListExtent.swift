/// The amount read of a run's lists, in bytes, for estimating the number of pushes.
public struct ListExtent: Sendable, Hashable {
  /// The bytes read of all lists together.
  public var read: Int64 = 0
  /// The size of all lists together; nil when one of them is a pipe.
  public var size: Int64?
  /// The most pushes allowed; nil for no limit.
  public var limit: Int?

  /// - Parameters:
  ///   - read: the bytes read of all lists together.
  ///   - size: the size of all lists together; nil when one of them is a pipe.
  ///   - limit: the most pushes allowed; nil for no limit.
  public init(read: Int64 = 0, size: Int64? = nil, limit: Int? = nil) {
    self.read = read
    self.size = size
    self.limit = limit
  }

  /// Estimates the total from the pushes read so far; nil when unknown.
  public func total(after pushes: Int) -> PushTotal? {
    let guess = guess(after: pushes)
    if let limit, guess.map({ $0 >= limit }) ?? true {
      return PushTotal(count: limit, isExact: true)
    }
    return guess.map { PushTotal(count: $0, isExact: false) }
  }

  /// Estimates how many pushes follow those read so far; nil when unknown.
  public func rest(after pushes: Int) -> Int? {
    if let size, read >= size { return 0 }
    if let limit, pushes >= limit { return 0 }
    // Something is left to read, even if it is less than an average row.
    return total(after: pushes).map { max(1, $0.count - pushes) }
  }

  private func guess(after pushes: Int) -> Int? {
    guard let size, read > 0, pushes > 0 else { return nil }
    return max(pushes, Int((Double(pushes) * Double(size) / Double(read)).rounded()))
  }
}

/// The number of pushes of a run, as far as known while the lists are read.
public struct PushTotal: Sendable, Hashable {
  /// The number of pushes.
  public var count: Int

  /// The number is not just an estimate from the sizes of the lists. With a limit, it is the most
  /// there may be.
  public var isExact: Bool

  /// Creates a total.
  public init(count: Int, isExact: Bool) {
    self.count = count
    self.isExact = isExact
  }
}
