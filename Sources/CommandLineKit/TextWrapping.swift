extension String {
  /// Wraps the text into lines of at most `width` columns; a longer word gets its own line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The paragraphs, which are separated by empty lines.
  var paragraphs: [String] {
    var parts: [[Substring]] = [[]]
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if line.allSatisfy(\.isWhitespace) {
        parts.append([])
      } else {
        parts[parts.count - 1] += [line]
      }
    }
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func indented(by columns: Int) -> String { String(repeating: " ", count: columns) + self }
}
