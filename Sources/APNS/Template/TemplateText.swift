/// A text split into constant parts and placeholders.
struct TemplateText {
  /// The parts in order; there are never two texts in a row.
  private(set) var pieces: [TemplatePiece] = []
  /// The invalid placeholders, each with its text.
  private(set) var faults: [(fault: PlaceholderFault, text: String)] = []

  /// Returns true if rendering the text differs from copying it.
  static func isTemplate(_ text: String) -> Bool { text.utf8.contains(pair: UInt8(ascii: "{")) }

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var plain = String.UnicodeScalarView()
    var offset = 0
    while offset < scalars.count {
      let braces = scalars[offset...].prefix(4).prefix { $0 == "{" }.count
      if braces < 2 {
        plain.append(scalars[offset])
        offset += 1
      } else if braces == 4 {
        plain.append(contentsOf: ["{", "{"])
        offset += 4
      } else {
        append(plain)
        plain.removeAll()
        offset = readPlaceholder(in: scalars, at: offset)
      }
    }
    append(plain)
  }

  /// The placeholder that is the whole text; otherwise nil.
  var onlyPlaceholder: Placeholder? {
    if pieces.count == 1, case .placeholder(let placeholder) = pieces[0] {
      placeholder
    } else {
      nil
    }
  }

  private mutating func append(_ plain: String.UnicodeScalarView) {
    if !plain.isEmpty { pieces.append(.text(String(plain))) }
  }

  /// Reads a placeholder and returns the offset after it, or after the next `}}` if it is invalid.
  private mutating func readPlaceholder(in scalars: [Unicode.Scalar], at start: Int) -> Int {
    var reader = PlaceholderReader(scalars, from: start + 2)
    do throws(PlaceholderFault) {
      pieces.append(.placeholder(try reader.read()))
      return reader.offset
    } catch {
      let end = Self.end(of: scalars, from: start + 2) ?? scalars.count
      let text = String(String.UnicodeScalarView(scalars[start..<end]))
      faults.append((error, text))
      return end
    }
  }

  private static func end(of scalars: [Unicode.Scalar], from start: Int) -> Int? {
    let last = scalars.indices.dropLast()
    return last.first { $0 >= start && scalars[$0] == "}" && scalars[$0 + 1] == "}" }.map { $0 + 2 }
  }
}

extension String.UTF8View {
  fileprivate func contains(pair byte: UInt8) -> Bool {
    var last: UInt8 = 0
    for next in self {
      if next == byte, last == byte { return true }
      last = next
    }
    return false
  }
}
