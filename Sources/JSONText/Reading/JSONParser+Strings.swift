extension JSONParser {
  /// A string and the quotes around it.
  mutating func string(quote: UInt8) throws(JSONSyntaxError) -> String {
    index += 1
    let start = index
    skipPlainText(until: quote)
    let end = index
    return skip(quote) ? bytes.text(start..<end) : try mixedString(from: start, quote: quote)
  }

  /// The rest of a string that is plain only from `start` to the next byte.
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

  /// Steps over everything but the quote, a backslash and C0 controls.
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

  /// JSON5 allows every control character in a string except those that end a line.
  private mutating func refuseControl(_ byte: UInt8) throws(JSONSyntaxError) {
    guard byte < .space else { return }
    if isJSON5 && byte != .lineFeed && byte != .carriageReturn { return }
    throw error(.controlCharacter(Unicode.Scalar(byte)))
  }
}
