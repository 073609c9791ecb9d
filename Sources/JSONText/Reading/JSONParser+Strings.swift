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
