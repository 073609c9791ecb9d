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
