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
  private var positions: PositionTracker

  init(_ bytes: UnsafeBufferPointer<UInt8>, dialect: JSONReader.Dialect, depthLimit: Int) {
    self.bytes = bytes
    self.isJSON5 = dialect == .json5
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
