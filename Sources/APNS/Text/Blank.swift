extension String {
  /// True if nothing is visible: no text, or only spaces, tabs and line breaks.
  var isBlank: Bool { utf8.allSatisfy(\.isBlank) }
}

extension Collection<UInt8> {
  /// True for the contents of a JSON string whose text is blank.
  var isBlankJSON: Bool {
    var isEscaped = false
    for byte in self {
      if isEscaped {
        guard "tnr".utf8.contains(byte) else { return false }
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if !byte.isBlank {
        return false
      }
    }
    return true
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
