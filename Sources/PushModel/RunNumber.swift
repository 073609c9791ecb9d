/// The number of a run in the history, from 1. Numbers are never reused.
public struct RunNumber: RawRepresentable, Sendable, Hashable, Comparable,
  CustomStringConvertible
{
  /// The number.
  public let rawValue: Int64

  /// The number of the first run.
  package static let first = RunNumber(1)

  private init(_ number: Int64) { rawValue = number }

  /// Creates a run number; nil unless it is 1 to 8,388,607, the most that a history can hold.
  public init?(rawValue: Int64) {
    guard 1..<1 << 23 ~= rawValue else { return nil }
    self.rawValue = rawValue
  }

  /// The number.
  public var description: String { String(rawValue) }

  /// Orders runs by age: an older run has a lower number.
  public static func < (left: RunNumber, right: RunNumber) -> Bool {
    left.rawValue < right.rawValue
  }
}
