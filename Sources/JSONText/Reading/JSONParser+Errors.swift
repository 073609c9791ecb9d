extension JSONParser {
  /// An error at an offset, by default at the next byte.
  @inline(never)
  mutating func error(_ kind: JSONSyntaxError.Kind, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(kind, at: position(at: offset ?? index))
  }

  /// The error for a next character that is not what the grammar requires here.
  @inline(never)
  mutating func unexpected(_ expected: JSONSyntaxError.Expectation) -> JSONSyntaxError {
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
