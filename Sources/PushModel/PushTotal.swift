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
