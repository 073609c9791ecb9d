/// A row of CSV with its line end (RFC 4180): cells are quoted where they need it.
public func csvLine(_ cells: [String]) -> String {
  cells.map(csvCell).joined(separator: ",") + "\r\n"
}

private func csvCell(_ text: String) -> String {
  // By bytes: CR LF is one character to Swift, and would be neither of its two.
  guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
  return "\"" + text.replacing("\"", with: "\"\"") + "\""
}
