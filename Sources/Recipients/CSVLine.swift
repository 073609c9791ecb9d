/// A row of CSV with its line end (RFC 4180): cells are quoted where they need it.
public func csvLine(_ cells: [String]) -> String {
  cells.map(csvCell).joined(separator: ",") + "\r\n"
}

private func csvCell(_ text: String) -> String {
  // By bytes: CR LF is one character to Swift, and would be neither of its two.
  guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
  // As above: a quote with an accent on it is another character.
  let doubled = text.utf8.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
  return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
}
