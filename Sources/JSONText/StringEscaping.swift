extension [UInt8] {
  /// Appends the contents of a JSON string. If `all` is false, only what RFC 8259 section 7
  /// requires is escaped; otherwise also what could affect a terminal or a JavaScript parser.
  package mutating func appendEscaped(_ text: String, all: Bool) {
    var text = text
    text.withUTF8 { appendEscaped($0, all: all) }
  }

  /// Appends the contents of a JSON string from bytes, which must be UTF-8.
  package mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, all: Bool) {
    var plain = 0
    var offset = 0
    while offset < text.count {
      let length = text.plainLength(at: offset)
      if length > 0 {
        offset += length
      } else if let length = text.escapedLength(at: offset, all: all) {
        append(contentsOf: text[plain..<offset])
        appendEscape(text.scalar(at: offset))
        offset += length
        plain = offset
      } else {
        offset += 1
      }
    }
    append(contentsOf: text[plain...])
  }

  private mutating func appendEscape(_ scalar: Unicode.Scalar) {
    append(.backslash)
    switch scalar {
    case "\"", "\\": append(contentsOf: scalar.utf8)
    case "\u{08}": append(UInt8(ascii: "b"))
    case "\t": append(UInt8(ascii: "t"))
    case "\n": append(UInt8(ascii: "n"))
    case "\u{0C}": append(UInt8(ascii: "f"))
    case "\r": append(UInt8(ascii: "r"))
    default: appendHexadecimal(scalar)
    }
  }

  private mutating func appendHexadecimal(_ scalar: Unicode.Scalar) {
    let digits = String(scalar.value, radix: 16)
    append(UInt8(ascii: "u"))
    append(contentsOf: repeatElement(.zero, count: 4 - digits.utf8.count))
    append(contentsOf: digits.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Eight if none of the next eight bytes needs an escape in any style, otherwise zero.
  fileprivate func plainLength(at offset: Int) -> Int {
    guard let eight = eightBytes(at: offset, before: count), eight.areASCII, eight.haveNoControl,
      eight.lack(.quote), eight.lack(.backslash), eight.lack(.delete)
    else { return 0 }
    return 8
  }

  /// The length in bytes of the character at an offset if it has to be escaped.
  fileprivate func escapedLength(at offset: Int, all: Bool) -> Int? {
    let byte = self[offset]
    if byte < .space || byte == .quote || byte == .backslash { return 1 }
    return all ? steeringLength(at: offset) : nil
  }

  /// The length in bytes of the character at an offset if it is DEL, a C1 control, U+061C, U+200E,
  /// U+200F, U+2028 to U+202E, or U+2066 to U+2069.
  private func steeringLength(at offset: Int) -> Int? {
    switch self[offset] {
    case 0x7F: 1
    case 0xC2: (0x80...0x9F).contains(self[offset + 1]) ? 2 : nil
    case 0xD8: self[offset + 1] == 0x9C ? 2 : nil
    case 0xE2: isSteering(self[offset + 1], self[offset + 2]) ? 3 : nil
    default: nil
    }
  }

  private func isSteering(_ second: UInt8, _ third: UInt8) -> Bool {
    switch second {
    case 0x80: third == 0x8E || third == 0x8F || (0xA8...0xAE).contains(third)
    case 0x81: (0xA6...0xA9).contains(third)
    default: false
    }
  }
}
