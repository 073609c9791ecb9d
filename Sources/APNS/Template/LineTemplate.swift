/// A line with placeholders for the fields of a record, such as `{{token}} {{status}}`. It uses the
/// language of payload templates for a command's output.
package struct LineTemplate: Sendable, Hashable {
  private enum Piece: Sendable, Hashable {
    case text([UInt8])
    case field(Int, fallback: [UInt8])
  }

  private var pieces: [Piece] = []

  /// Parses a template. In its text `\n` is a line feed, `\t` a tab and `\\` a backslash. A line
  /// always ends in a line feed, even if the template does not.
  ///
  /// - Parameters:
  ///   - fields: the field names, in the order in which ``write(_:ending:into:)`` gets their
  ///     values.
  ///   - now: the value of `{{now}}`, in seconds since 1970.
  package init(_ text: String, fields: [String], now: Int64) throws(LineTemplateError) {
    let text = TemplateText(text)
    if let (fault, written) = text.faults.first {
      throw .malformed(message: fault.message(written), fix: fault.fix ?? "")
    }
    for piece in text.pieces {
      switch piece {
      case .text(let text): pieces.append(.text(Self.unescaped(text)))
      case .placeholder(let placeholder):
        pieces.append(try Self.piece(placeholder, fields, now))
      }
    }
    if case .text(let last)? = pieces.last, last.last == UInt8(ascii: "\n") { return }
    pieces.append(.text([UInt8(ascii: "\n")]))
  }

  private static func piece(
    _ placeholder: Placeholder, _ fields: [String], _ now: Int64
  ) throws(LineTemplateError) -> Piece {
    switch placeholder.source {
    case .now(let offset): return .text(Array(String(now + offset).utf8))
    case .variable(let name):
      guard let index = fields.firstIndex(of: name) else { throw .unknownField(name) }
      if placeholder.isNumber { throw .numberFilter }
      return .field(index, fallback: Array((placeholder.fallback ?? "").utf8))
    }
  }

  private static func unescaped(_ text: String) -> [UInt8] {
    let meanings: [UInt8: UInt8] = [
      UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "t"): UInt8(ascii: "\t"),
      UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    ]
    var bytes: [UInt8] = []
    var isEscape = false
    for byte in text.utf8 {
      if isEscape {
        bytes += meanings[byte].map { [$0] } ?? [UInt8(ascii: "\\"), byte]
        isEscape = false
      } else if byte == UInt8(ascii: "\\") {
        isEscape = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes + (isEscape ? [UInt8(ascii: "\\")] : [])
  }

  /// Appends the line for a record.
  ///
  /// - Parameters:
  ///   - values: the values of all fields, concatenated; empty for an unknown value.
  ///   - ends: the end of each value.
  package func write(_ values: [UInt8], ending ends: [Int], into line: inout [UInt8]) {
    for piece in pieces {
      switch piece {
      case .text(let text): line.append(contentsOf: text)
      case .field(let index, let fallback):
        let value = values[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
        line.append(contentsOf: value.isEmpty ? fallback[...] : value)
      }
    }
  }
}

/// The reason a text is not a valid ``LineTemplate``.
package enum LineTemplateError: Error, Sendable, Hashable {
  /// A placeholder is malformed, explained in two sentences.
  case malformed(message: String, fix: String)
  /// There is no field with this name.
  case unknownField(String)
  /// The filter `number` has no effect in a line of text.
  case numberFilter
}
