/// The parts of a decimal number, as ranges of the text.
struct NumberParts {
  var sign: UInt8?
  /// The digits before the dot.
  var whole: Range<Int>
  /// The digits after the dot; nil without a dot.
  var fraction: Range<Int>?
  /// The range from the `e` to the last digit of the exponent; nil without an exponent.
  var exponent: Range<Int>?
}

extension JSONParser {
  /// Reads everything that looks like a decimal number in either dialect.
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

extension JSONParser {
  /// Reads a number and converts JSON5 spellings to strict JSON.
  mutating func number() throws(JSONSyntaxError) -> JSONNumber {
    let start = index
    if isJSON5, isHexadecimal { return try hexadecimal() }
    let parts = numberParts()
    let isWhole = next.map { !$0.belongsToNumber } ?? true
    if isWhole, isStrict(parts) { return JSONNumber(verified: bytes.text(start..<index)) }
    if isWhole, isJSON5, isSound(parts) { return JSONNumber(verified: strictText(parts)) }
    throw numberError(from: start, hasLeadingZero: hasLeadingZero(parts))
  }

  /// True if the number follows RFC 8259 section 6.
  private func isStrict(_ parts: NumberParts) -> Bool {
    isSound(parts) && parts.sign != .plus && !parts.whole.isEmpty
      && parts.fraction?.isEmpty != true
  }

  /// True if there is a digit next to the dot and the rules common to both dialects hold.
  private func isSound(_ parts: NumberParts) -> Bool {
    guard !hasLeadingZero(parts), !parts.whole.isEmpty || parts.fraction?.isEmpty == false else {
      return false
    }
    return parts.exponent.map { bytes[$0.upperBound - 1].isDigit } ?? true
  }

  private func hasLeadingZero(_ parts: NumberParts) -> Bool {
    parts.whole.count > 1 && bytes[parts.whole.lowerBound] == .zero
  }

  private func strictText(_ parts: NumberParts) -> String {
    var text = parts.sign == .minus ? "-" : ""
    text += parts.whole.isEmpty ? "0" : bytes.text(parts.whole)
    if let fraction = parts.fraction, !fraction.isEmpty { text += "." + bytes.text(fraction) }
    if let exponent = parts.exponent { text += bytes.text(exponent) }
    return text
  }

  /// The error for a number that begins at `start`, quoting everything attached to it.
  private mutating func numberError(
    from start: Int, hasLeadingZero: Bool = false
  ) -> JSONSyntaxError {
    while let byte = next, byte.belongsToNumber { index += 1 }
    let text = excerpt(from: start)
    switch text.drop(while: { $0 == "-" || $0 == "+" }) {
    case "NaN", "Infinity": return error(.notFinite(text), at: start)
    default: return error(hasLeadingZero ? .leadingZero(text) : .badNumber(text), at: start)
    }
  }
}

/// The hexadecimal numbers of JSON5.
extension JSONParser {
  /// True if `0x` comes next, signed or not.
  private var isHexadecimal: Bool {
    let digit = next == .minus || next == .plus ? index + 1 : index
    return digit + 1 < bytes.count && bytes[digit] == .zero
      && bytes[digit + 1].lowercased == UInt8(ascii: "x")
  }

  private mutating func hexadecimal() throws(JSONSyntaxError) -> JSONNumber {
    let start = index
    let isNegative = sign() == .minus
    index += 2
    let digits = index
    while next?.hexValue != nil { index += 1 }
    let end = index
    guard end > digits, next.map({ !$0.belongsToNumber }) ?? true else {
      throw numberError(from: start)
    }
    guard let magnitude = UInt128(bytes.text(digits..<end), radix: 16) else {
      throw error(.hexadecimalTooLarge(excerpt(from: start)), at: start)
    }
    return JSONNumber(verified: (isNegative ? "-" : "") + String(magnitude))
  }
}
