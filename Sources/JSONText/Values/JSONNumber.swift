/// A number, kept as it was written, so that reading and writing never change a digit.
public struct JSONNumber: Sendable, Hashable {
  /// The digits as in a strict JSON text, for example `-12.50e3`.
  public let text: String

  /// A number whose text is already known to follow RFC 8259 section 6.
  package init(verified text: String) { self.text = text }

  /// A whole number.
  public init(_ number: some BinaryInteger) { self.text = String(number) }

  /// The shortest spelling that reads back as the same double; nil when it is not finite.
  public init?(double: Double) {
    guard double.isFinite else { return nil }
    self.text = double.description
  }

  /// The value as a whole number; nil when it is written with a fraction or an exponent, or does
  /// not fit 64 bits.
  public var int: Int? { Int(text) }

  /// The nearest double; infinite when the number is out of range.
  public var double: Double { Double(text) ?? .nan }
}
