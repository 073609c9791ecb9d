/// Reads one text. It must not outlive the call that owns the bytes.
///
/// Each reading method starts with `index` at the first byte of its construct and leaves it after
/// the last one. Recursion goes no deeper than `depthLimit`.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  let isJSON5: Bool
  let depthLimit: Int
  var index = 0
  var depth = 0
  /// The first repeated keys, and trailing commas and comments of a strict text, which do not hide
  /// what follows them.
  private(set) var slips: [JSONSyntaxError] = []
  private static var slipLimit: Int { 100 }
  private var positions: PositionTracker

  init(_ bytes: UnsafeBufferPointer<UInt8>, grammar: JSONReader.Grammar, depthLimit: Int) {
    self.bytes = bytes
    self.isJSON5 = grammar == .json5
    self.depthLimit = depthLimit
    self.positions = PositionTracker(bytes)
  }

  /// The next byte; nil at the end.
  var next: UInt8? {
    @inline(__always) get { index < bytes.count ? bytes[index] : nil }
  }

  /// Consumes the next byte if it equals `byte`.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  mutating func position(at offset: Int) -> JSONPosition { positions.position(at: offset) }
}

extension JSONParser {
  /// Reads the whole text: one value with white space around it.
  mutating func document() throws(JSONSyntaxError) -> JSON {
    if let offset = bytes.firstInvalidUTF8 {
      throw error(.invalidUTF8(byte: bytes[offset]), at: offset)
    }
    if !isJSON5 && bytes.starts(with: "\u{FEFF}".utf8) { throw error(.byteOrderMark) }
    try skipSpace()
    if next == nil { throw error(.emptyText) }
    let value = try value()
    try skipSpace()
    if next != nil { throw error(.trailingContent(bytes.scalar(at: index))) }
    return value
  }

  mutating func value() throws(JSONSyntaxError) -> JSON {
    let position = position(at: index)
    return JSON(try content(), at: position)
  }

  private mutating func content() throws(JSONSyntaxError) -> JSON.Content {
    switch next {
    case .quote: return .string(try string(quote: .quote))
    case .leftBrace: return .object(try object())
    case .leftBracket: return .array(try array())
    case .minus, .plus, .dot: return .number(try number())
    case .apostrophe where isJSON5: return .string(try string(quote: .apostrophe))
    case let byte? where byte.isDigit: return .number(try number())
    case let byte? where byte.isLetter: return try word()
    default: throw unexpected(.value)
    }
  }

  private mutating func word() throws(JSONSyntaxError) -> JSON.Content {
    let start = index
    while let byte = next, byte.isLetter || byte.isDigit || byte == .underscore { index += 1 }
    switch bytes.text(start..<index) {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "NaN", "Infinity": throw error(.notFinite(excerpt(from: start)), at: start)
    default: throw error(.unknownWord(excerpt(from: start)), at: start)
    }
  }
}

extension JSONParser {
  /// Notes a slip of a strict text. Only the first ones are kept.
  private mutating func passOver(_ kind: JSONSyntaxError.Kind, at offset: Int) {
    if !isJSON5, slips.count < Self.slipLimit { slips.append(error(kind, at: offset)) }
  }

  /// An error at an offset, by default at the next byte.
  @inline(never)
  mutating func error(_ kind: JSONSyntaxError.Kind, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(kind, at: position(at: offset ?? index))
  }

  /// The error for a next character that is not what the grammar requires here.
  @inline(never)
  mutating func unexpected(_ expected: JSONSyntaxError.Expected) -> JSONSyntaxError {
    guard next != nil else { return error(.unexpectedEnd(expected: expected)) }
    let scalar = bytes.scalar(at: index)
    guard expected == .value || expected == .key else {
      return error(.unexpectedCharacter(scalar, expected: expected))
    }
    switch scalar {
    case "'": return error(.singleQuote)
    case "\u{2018}"..."\u{201F}", "\u{AB}", "\u{BB}": return error(.smartQuote(scalar))
    default: return error(.unexpectedCharacter(scalar, expected: expected))
    }
  }

  /// The text from `start` to the next byte, cut to at most 40 bytes for a message.
  func excerpt(from start: Int) -> String {
    var end = min(index, start + 40)
    while end < index, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return bytes.text(start..<end)
  }
}

extension JSONParser {
  /// Skips white space and, in JSON5, comments.
  mutating func skipSpace() throws(JSONSyntaxError) {
    while let byte = next {
      switch byte {
      case .space, .lineFeed, .carriageReturn, .tab: index += 1
      case .slash: guard try skipComment() else { return }
      default: guard isJSON5, skipRareSpace(byte) else { return }
      }
    }
  }

  /// Skips white space that only JSON5 has: vertical tab, form feed, byte order mark, U+2028 and
  /// U+2029, and Unicode space separators.
  private mutating func skipRareSpace(_ byte: UInt8) -> Bool {
    if byte.isASCII { return skip(.verticalTab) || skip(.formFeed) }
    let scalar = bytes.scalar(at: index)
    let isSpace =
      ["\u{FEFF}", "\u{2028}", "\u{2029}"].contains(scalar)
      || scalar.properties.generalCategory == .spaceSeparator
    if isSpace { index += scalar.utf8.count }
    return isSpace
  }

  /// Skips a comment; false if there is none here.
  private mutating func skipComment() throws(JSONSyntaxError) -> Bool {
    guard index + 1 < bytes.count else { return false }
    let mark = bytes[index + 1]
    guard mark == .slash || mark == .asterisk else { return false }
    passOver(.comment, at: index)
    index += 2
    if mark == .slash {
      skipToEndOfLine()
    } else {
      try skipToEndOfComment()
    }
    return true
  }

  private mutating func skipToEndOfLine() {
    while let byte = next, byte != .lineFeed, byte != .carriageReturn, !isAtUnicodeLineEnd {
      index += 1
    }
  }

  private mutating func skipToEndOfComment() throws(JSONSyntaxError) {
    while next != nil {
      let isStar = next == .asterisk
      index += 1
      if isStar, skip(.slash) { return }
    }
    throw unexpected(.endOfComment)
  }

  /// True if U+2028 or U+2029 comes next. JSON5 ends a comment there, but they do not count as line
  /// ends, just as in editors.
  var isAtUnicodeLineEnd: Bool {
    bytes.count - index >= 3 && bytes[index] == 0xE2 && bytes[index + 1] == 0x80
      && bytes[index + 2] | 1 == 0xA9
  }
}

extension JSONParser {
  mutating func array() throws(JSONSyntaxError) -> [JSON] {
    var elements: [JSON] = []
    var goesOn = try open(until: .rightBracket)
    while goesOn {
      elements.append(try value())
      goesOn = try anotherFollows(until: .rightBracket)
    }
    return elements
  }

  mutating func object() throws(JSONSyntaxError) -> JSONObject {
    var members = DistinctMembers()
    var goesOn = try open(until: .rightBrace)
    while goesOn {
      try member(into: &members)
      goesOn = try anotherFollows(until: .rightBrace)
    }
    return JSONObject(distinct: members.members)
  }

  private mutating func member(into members: inout DistinctMembers) throws(JSONSyntaxError) {
    let position = position(at: index)
    let key = try key()
    let first = members.position(of: key)
    if let first {
      let error = JSONSyntaxError(.duplicateKey(key, first: first), at: position)
      // Each costs a search, so very many end the reading.
      if slips.count == Self.slipLimit { throw error }
      slips.append(error)
    }
    try skipSpace()
    guard skip(.colon) else { throw unexpected(.colon) }
    try skipSpace()
    let member = JSONMember(key: key, at: position, value: try value())
    if first == nil { members.append(member) } else { members.replace(by: member) }
  }

  private mutating func key() throws(JSONSyntaxError) -> String {
    let start = index
    switch next {
    case .quote: return try string(quote: .quote)
    case .apostrophe where isJSON5: return try string(quote: .apostrophe)
    default: break
    }
    guard startsIdentifier else { throw unexpected(.key) }
    let name = try identifier()
    if !isJSON5 { throw error(.unquotedKey(excerpt(from: start)), at: start) }
    return name
  }

  /// Consumes an opening bracket. Returns false if the closing one follows, after consuming it too.
  private mutating func open(until closing: UInt8) throws(JSONSyntaxError) -> Bool {
    guard depth < depthLimit else { throw error(.tooDeep(limit: depthLimit)) }
    depth += 1
    index += 1
    try skipSpace()
    return !close(closing)
  }

  /// Consumes a comma or the closing bracket. Returns false after the bracket.
  private mutating func anotherFollows(until closing: UInt8) throws(JSONSyntaxError) -> Bool {
    try skipSpace()
    if close(closing) { return false }
    let comma = index
    guard skip(.comma) else {
      throw unexpected(closing == .rightBrace ? .commaOrClosingBrace : .commaOrClosingBracket)
    }
    try skipSpace()
    guard close(closing) else { return true }
    passOver(.trailingComma, at: comma)
    return false
  }

  private mutating func close(_ closing: UInt8) -> Bool {
    guard skip(closing) else { return false }
    depth -= 1
    return true
  }
}
