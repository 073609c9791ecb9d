/// How much of the lists of a run is read, in bytes: what their length is guessed from.
public struct ListExtent: Sendable, Hashable {
  /// Of all lists together.
  public var read: Int64 = 0
  /// Of all lists together; nil when one of them is a pipe.
  public var size: Int64?
  /// The most pushes there may be; nil for no limit.
  public var limit: Int?

  /// - Parameters:
  ///   - read: bytes of all lists together.
  ///   - size: bytes of all lists together; nil when one of them is a pipe.
  ///   - limit: the most pushes there may be; nil for no limit.
  public init(read: Int64 = 0, size: Int64? = nil, limit: Int? = nil) {
    self.read = read
    self.size = size
    self.limit = limit
  }

  /// How many pushes there will be when so many were made of what is read; nil when unknown.
  public func total(after pushes: Int) -> PushTotal? {
    let guess = guess(after: pushes)
    if let limit, guess.map({ $0 >= limit }) ?? true {
      return PushTotal(count: limit, isExact: true)
    }
    return guess.map { PushTotal(count: $0, isExact: false) }
  }

  /// About how many pushes follow when so many were made of what is read; nil when it is not known.
  public func rest(after pushes: Int) -> Int? {
    if let size, read >= size { return 0 }
    if let limit, pushes >= limit { return 0 }
    // Something is left to read, even if it is less than a row of the usual length.
    return total(after: pushes).map { max(1, $0.count - pushes) }
  }

  private func guess(after pushes: Int) -> Int? {
    guard let size, read > 0, pushes > 0 else { return nil }
    return max(pushes, Int((Double(pushes) * Double(size) / Double(read)).rounded()))
  }
}

/// How many pushes a run has, as far as it is known while the lists are read.
public struct PushTotal: Sendable, Hashable {
  /// How many.
  public var count: Int

  /// Whether it is more than a guess by the sizes of the lists. With a limit it is the most there
  /// may be.
  public var isExact: Bool

  /// A total.
  public init(count: Int, isExact: Bool) {
    self.count = count
    self.isExact = isExact
  }
}
