import PlainText

/// Untrusted text in quotes, truncated to 60 characters and without anything that a terminal would
/// act on (CWE-150).
func quoted(_ text: some StringProtocol) -> String { "\"\(printable(text))\"" }

/// Untrusted text, truncated to 60 characters; control and formatting characters, such as those
/// that change the writing direction, are escaped by number.
func printable(_ text: some StringProtocol) -> String {
  let start = text.prefix(60)
  let scalars = start.unicodeScalars.prefix(240)
  let isCut = start.count < text.count || scalars.count < start.unicodeScalars.count
  return scalars.map(\.printable).joined() + (isCut ? "…" : "")
}

/// A number with its noun: `1 byte`, `2 bytes`.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}

/// A list in words: `10`, `10 or 5`, `10, 5 or 1`.
func alternatives(_ words: [String]) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}

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
