import JSONText

/// A text cut into lines in the plainest way, to hold the reader's places against.
struct TextLines {
  private var lines: [[Unicode.Scalar]] = [[]]

  /// CR LF, LF and CR each end a line.
  init(_ bytes: [UInt8]) {
    var last: Unicode.Scalar?
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar == "\r" || scalar == "\n" && last != "\r" {
        lines.append([])
      } else if scalar != "\n" {
        lines[lines.count - 1].append(scalar)
      }
      last = scalar
    }
  }

  /// The character at a place; nil when there is none.
  func scalar(at position: JSONPosition) -> Unicode.Scalar? {
    guard lines.indices.contains(position.line - 1) else { return nil }
    let line = lines[position.line - 1]
    return line.indices.contains(position.column - 1) ? line[position.column - 1] : nil
  }

  /// A place is in the text, or just behind the end of a line.
  func expectInside(_ position: JSONPosition) throws(BrokenPromise) {
    let isInside =
      lines.indices.contains(position.line - 1)
      && 1...lines[position.line - 1].count + 1 ~= position.column
    try expect(isInside, "a place is in the text", "\(position)")
  }
}
