/// Writes XML piece by piece, indented.
struct XMLText {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var open: [String] = []

  typealias Attribute = (name: String, value: String?)

  /// Begins an element. Attributes without a value are left out.
  mutating func open(_ name: String, _ attributes: [Attribute] = []) {
    line("<\(name)\(Self.text(of: attributes))>")
    open.append(name)
  }

  /// Ends the element begun last.
  mutating func close() {
    guard let name = open.popLast() else { return }
    line("</\(name)>")
  }

  /// An element with nothing in it.
  mutating func empty(_ name: String, _ attributes: [Attribute]) {
    line("<\(name)\(Self.text(of: attributes))/>")
  }

  /// An element with text in it.
  mutating func element(_ name: String, _ attributes: [Attribute] = [], text: String) {
    line("<\(name)\(Self.text(of: attributes))>\(Self.escaped(text))</\(name)>")
  }

  private mutating func line(_ line: String) {
    text += String(repeating: "  ", count: open.count) + line + "\n"
  }

  private static func text(of attributes: [Attribute]) -> String {
    attributes.map { name, value in
      value.map { " \(name)=\"\(escaped($0, inQuotes: true))\"" } ?? ""
    }
    .joined()
  }

  /// Characters that XML 1.0 has no way to write (section 2.2) become U+FFFD.
  static func escaped(_ text: String, inQuotes: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where inQuotes: result += "&quot;"
      case "\n" where inQuotes, "\t" where inQuotes: result += "&#\(scalar.value);"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
        result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
    return result
  }
}
