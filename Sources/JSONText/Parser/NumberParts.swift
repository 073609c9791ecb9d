/// A decimal number in its parts, each the place it takes in the text.
struct NumberParts {
  var sign: UInt8?
  /// The digits before the dot.
  var whole: Range<Int>
  /// The digits after the dot; nil without a dot.
  var fraction: Range<Int>?
  /// From the `e` to the last digit after it; nil without an exponent.
  var exponent: Range<Int>?
}

extension JSONParser {
  /// Reads as much as looks like a decimal number in either dialect.
  mutating func numberParts() -> NumberParts {
    NumberParts(sign: sign(), whole: digits(), fraction: fraction(), exponent: exponent())
  }

  mutating func sign() -> UInt8? {
    guard let byte = next, byte == .minus || byte == .plus else { return nil }
    index += 1
    return byte
  }

  private mutating func digits() -> Range<Int> {
    let start = index
    while let byte = next, byte.isDigit { index += 1 }
    return start..<index
  }

  private mutating func fraction() -> Range<Int>? { skip(.dot) ? digits() : nil }

  private mutating func exponent() -> Range<Int>? {
    guard let byte = next, byte.lowercased == UInt8(ascii: "e") else { return nil }
    let start = index
    index += 1
    _ = sign()
    return start..<digits().upperBound
  }
}
