import PlainText

/// Text from outside in quotes, cut to 60 characters, with nothing in it that a terminal would act
/// on (CWE-150).
func quoted(_ text: some StringProtocol) -> String { "\"\(printable(text))\"" }

/// Text from outside, cut to 60 characters; control and formatting characters, such as those that
/// turn the writing direction, are written as their numbers.
func printable(_ text: some StringProtocol) -> String {
  let start = text.prefix(60)
  let scalars = start.unicodeScalars.prefix(240)
  let isCut = start.count < text.count || scalars.count < start.unicodeScalars.count
  return scalars.map(\.printable).joined() + (isCut ? "…" : "")
}

/// `1 byte`, `2 bytes`.
func counted(_ number: Int, _ noun: String) -> String {
  number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
}

/// `10`, `10 or 5`, `10, 5 or 1`.
func alternatives(_ words: [String]) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
