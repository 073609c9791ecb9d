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
