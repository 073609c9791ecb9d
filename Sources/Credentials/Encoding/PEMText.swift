/// PEM text (RFC 7468) that lost its line breaks in a variable or a form.
package enum PEMText {
  static let begin: StaticString = "-----BEGIN "
  private static let end: StaticString = "-----END "
  private static let dashes: StaticString = "-----"
  private static let lineFeed = UInt8(ascii: "\n")
  private static let foldedLineFeed: StaticString = "\\n"

  /// The text with line breaks restored, which PEM readers require; nil if it has them.
  static func unfolded(_ text: SecretBytes) -> SecretBytes? {
    text.withBytes { text in
      if text.offset(of: foldedLineFeed) != nil { return withLineFeeds(text) }
      return hasLines(text) ? nil : withLinesOf64(text)
    }
  }

  /// The label of the first block that is not `EC PARAMETERS`, even if the block is unreadable.
  static func label(in text: SecretBytes) -> String? {
    let labels = labels(in: text)
    return labels.first { $0 != PEMBlock.parameters } ?? labels.first
  }

  /// The labels of all blocks, readable or not.
  package static func labels(in text: SecretBytes) -> [String] {
    text.withBytes { text in
      var labels: [String] = []
      var start = text.offset(of: begin)
      while let found = start {
        let name = found + begin.utf8CodeUnitCount
        if let stop = text.offset(of: dashes, from: name), stop - name < 64 {
          labels.append(String(decoding: text[name..<stop], as: UTF8.self))
        }
        start = text.offset(of: begin, from: name)
      }
      return labels
    }
  }

  /// Returns true if the first block has its label on a line of its own.
  private static func hasLines(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let start = text.offset(of: begin), start == 0 || text[start - 1] == lineFeed,
      let stop = text.offset(of: dashes, from: start + begin.utf8CodeUnitCount)
    else { return false }
    let rest = text[(stop + dashes.utf8CodeUnitCount)...]
    return rest.first { !" \t\r".utf8.contains($0) }.map { $0 == lineFeed } ?? true
  }

  /// Turns `\n`, as a shell or YAML file writes it, back into a line feed, and drops `\r`.
  private static func withLineFeeds(_ text: UnsafeRawBufferPointer) -> SecretBytes {
    SecretBytes(capacity: text.count) { buffer in
      var rest = text[(text.offset(of: begin) ?? 0)...]
      var count = 0
      while let byte = rest.popFirst() {
        let escape = byte == UInt8(ascii: "\\") ? rest.popFirst() : nil
        if escape == UInt8(ascii: "r") { continue }
        buffer[count] = escape == UInt8(ascii: "n") ? lineFeed : byte
        count += 1
      }
      return count
    }
  }

  /// Breaks every block into lines, even where blanks or nothing replaced the line breaks.
  private static func withLinesOf64(_ text: UnsafeRawBufferPointer) -> SecretBytes {
    SecretBytes(capacity: text.count * 2 + 64) { buffer in
      var lines = LineWriter(buffer: buffer)
      var start = text.offset(of: begin)
      while let found = start, let body = endOfLabel(text, from: found),
        let stop = text.offset(of: end, from: body), let next = endOfLabel(text, from: stop)
      {
        lines.put(text[found..<body])
        lines.putDigits(text[body..<stop])
        lines.put(text[stop..<next])
        start = text.offset(of: begin, from: next)
      }
      return lines.count
    }
  }

  /// The end of the dashes after a label.
  private static func endOfLabel(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let name = start + dashes.utf8CodeUnitCount
    return text.offset(of: dashes, from: name).map { $0 + dashes.utf8CodeUnitCount }
  }
}

/// Writes lines into a sufficiently large buffer.
private struct LineWriter {
  let buffer: UnsafeMutableRawBufferPointer
  var count = 0

  mutating func put(_ line: Slice<UnsafeRawBufferPointer>) {
    for byte in line { put(byte) }
    put(UInt8(ascii: "\n"))
  }

  /// Writes base64 without blanks, in lines of 64 characters.
  mutating func putDigits(_ digits: Slice<UnsafeRawBufferPointer>) {
    var column = 0
    for byte in digits where !isBlankOrMark(byte) {
      put(byte)
      column += 1
      if column.isMultiple(of: 64) { put(UInt8(ascii: "\n")) }
    }
    if !column.isMultiple(of: 64) { put(UInt8(ascii: "\n")) }
  }

  private mutating func put(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }
}
