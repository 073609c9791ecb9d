extension JSONParser {
  /// Reads a backslash escape and appends the character it stands for.
  mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    let start = index
    index += 1
    guard let byte = next else { throw unexpected(.closingQuote) }
    if byte == UInt8(ascii: "u") {
      text.append(contentsOf: try unicodeEscape(from: start).utf8)
    } else if let meant = Self.meaning(of: byte) {
      text.append(meant)
      index += 1
    } else if isJSON5 {
      try json5Escape(byte, from: start, into: &text)
    } else {
      throw error(.badEscape(bytes.scalar(at: index)), at: start)
    }
  }

  /// Resolves the one-letter escapes of RFC 8259 section 7.
  private static func meaning(of byte: UInt8) -> UInt8? {
    switch byte {
    case .quote, .backslash, .slash: byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): .formFeed
    case UInt8(ascii: "n"): .lineFeed
    case UInt8(ascii: "r"): .carriageReturn
    case UInt8(ascii: "t"): .tab
    default: nil
    }
  }

  /// Reads an escape that only JSON5 has. Any other character except a digit stands for itself.
  private mutating func json5Escape(
    _ byte: UInt8, from start: Int, into text: inout [UInt8]
  ) throws(JSONSyntaxError) {
    if skipLineContinuation() { return }
    if byte == UInt8(ascii: "x") {
      let unit = try hexadecimalEscape(digits: 2, from: start)
      text.append(contentsOf: Unicode.Scalar(UInt8(unit)).utf8)
      return
    }
    let scalar = bytes.scalar(at: index)
    switch byte {
    case UInt8(ascii: "v"): text.append(.verticalTab)
    case .zero where !isDigit(at: index + 1): text.append(0)
    case .zero ... .nine: throw error(.badEscape(scalar), at: start)
    default: text.append(contentsOf: scalar.utf8)
    }
    index += scalar.utf8.count
  }

  private func isDigit(at offset: Int) -> Bool { offset < bytes.count && bytes[offset].isDigit }

  /// Consumes a line terminator after a backslash; it is not part of the string.
  private mutating func skipLineContinuation() -> Bool {
    if isAtUnicodeLineEnd {
      index += 3
      return true
    }
    let isReturn = skip(.carriageReturn)
    return skip(.lineFeed) || isReturn
  }
}

extension JSONParser {
  /// Reads `\uXXXX`, or two of them that make a surrogate pair. The next byte is the `u`; `start`
  /// is the offset of the backslash.
  mutating func unicodeEscape(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
    let unit = try hexadecimalEscape(digits: 4, from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let second = index
    guard UTF16.isLeadSurrogate(unit), skip(.backslash), next == UInt8(ascii: "u") else {
      throw error(.loneSurrogate(unit), at: start)
    }
    let trail = try hexadecimalEscape(digits: 4, from: second)
    guard UTF16.isTrailSurrogate(trail) else { throw error(.loneSurrogate(unit), at: start) }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  /// Reads the hexadecimal digits after the next byte, which is the `u` or `x` of an escape.
  private mutating func hexadecimalEscape(
    digits: Int, from start: Int
  ) throws(JSONSyntaxError) -> UInt16 {
    let letter = Unicode.Scalar(bytes[index])
    var value: UInt16 = 0
    for _ in 0..<digits {
      index += 1
      guard let byte = next else { throw unexpected(.closingQuote) }
      guard let digit = byte.hexValue else { throw error(.badEscape(letter), at: start) }
      value = value << 4 | UInt16(digit)
    }
    index += 1
    return value
  }
}
