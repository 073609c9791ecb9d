/// A number, kept as written so that reading and writing never change a digit.
public struct JSONNumber: Sendable, Hashable {
  /// The number as spelled in strict JSON, for example `-12.50e3`.
  public let text: String

  /// Creates a number from text known to follow RFC 8259 section 6.
  package init(verified text: String) { self.text = text }

  /// Creates a whole number.
  public init(_ number: some BinaryInteger) { self.text = String(number) }

  /// The shortest spelling that reads back as the same double; nil if `double` is not finite.
  public init?(double: Double) {
    guard double.isFinite else { return nil }
    self.text = double.description
  }

  /// The value as an integer; nil if it is written with a fraction or an exponent, or does not fit
  /// in 64 bits.
  public var int: Int? { Int(text) }

  /// The nearest double; infinite when the number is out of range.
  public var double: Double { Double(text) ?? .nan }
}
