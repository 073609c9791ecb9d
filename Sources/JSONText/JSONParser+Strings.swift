extension JSONParser {
  /// Reads a string including its quotes.
  mutating func string(quote: UInt8) throws(JSONSyntaxError) -> String {
    index += 1
    let start = index
    skipPlainText(until: quote)
    let end = index
    return skip(quote) ? bytes.text(start..<end) : try mixedString(from: start, quote: quote)
  }

  /// Reads the rest of a string whose plain text extends only from `start` to the next byte.
  private mutating func mixedString(
    from start: Int, quote: UInt8
  ) throws(JSONSyntaxError) -> String {
    var text = Array(bytes[start..<index])
    while let byte = next, byte != quote {
      if byte == .backslash {
        try escape(into: &text)
      } else {
        try refuseControl(byte)
        let plain = index
        index += 1
        skipPlainText(until: quote)
        text.append(contentsOf: bytes[plain..<index])
      }
    }
    guard skip(quote) else { throw unexpected(.closingQuote) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Skips everything but the quote, backslashes and C0 controls.
  private mutating func skipPlainText(until quote: UInt8) {
    while let byte = next {
      if let eight = bytes.eightBytes(at: index, before: bytes.count),
        eight.haveNoControl, eight.lack(quote), eight.lack(.backslash)
      {
        index += 8
      } else {
        guard byte >= .space, byte != quote, byte != .backslash else { return }
        index += 1
      }
    }
  }

  /// Rejects control characters in a string; JSON5 allows all except line feed and carriage return.
  private mutating func refuseControl(_ byte: UInt8) throws(JSONSyntaxError) {
    guard byte < .space else { return }
    if isJSON5 && byte != .lineFeed && byte != .carriageReturn { return }
    throw error(.controlCharacter(Unicode.Scalar(byte)))
  }
}

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

/// The unquoted keys of JSON5: identifier names of ECMAScript 5.1 section 7.6.
extension JSONParser {
  /// True if an unquoted key may begin here.
  var startsIdentifier: Bool {
    guard let byte = next else { return false }
    if byte == .backslash { return true }
    return Self.canStartIdentifier(bytes.scalar(at: index))
  }

  /// Reads an unquoted key and resolves its escapes.
  mutating func identifier() throws(JSONSyntaxError) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = try identifierScalar(isFirst: name.isEmpty) { name.append(scalar) }
    return String(name)
  }

  private mutating func identifierScalar(
    isFirst: Bool
  ) throws(JSONSyntaxError) -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    if byte == .backslash { return try identifierEscape(isFirst: isFirst) }
    let scalar = bytes.scalar(at: index)
    guard isFirst ? Self.canStartIdentifier(scalar) : Self.canContinueIdentifier(scalar) else {
      return nil
    }
    index += scalar.utf8.count
    return scalar
  }

  /// Reads an escape in a key, which may only produce a character that is also allowed unescaped.
  private mutating func identifierEscape(
    isFirst: Bool
  ) throws(JSONSyntaxError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard next != nil else { throw unexpected(.key) }
    guard next == UInt8(ascii: "u") else {
      throw error(.badEscape(bytes.scalar(at: index)), at: start)
    }
    let scalar = try unicodeEscape(from: start)
    guard isFirst ? Self.canStartIdentifier(scalar) : Self.canContinueIdentifier(scalar) else {
      throw error(.badEscape("u"), at: start)
    }
    return scalar
  }

  private static func canStartIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    if let byte = UInt8(exactly: scalar.value), byte.isASCII {
      return byte.isLetter || byte == .dollar || byte == .underscore
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .letterNumber:
      return true
    default: return false
    }
  }

  private static func canContinueIdentifier(_ scalar: Unicode.Scalar) -> Bool {
    if canStartIdentifier(scalar) { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return true
    default: return scalar == "\u{200C}" || scalar == "\u{200D}"
    }
  }
}
