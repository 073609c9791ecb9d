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
    guard isJSON5 else { throw error(.comment) }
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
