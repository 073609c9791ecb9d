import Testing

/// YAML as the recipes use it: mappings and lists by indentation, texts behind `|` and `>-`, and
/// plain values. Anything else stays the text that it is.
indirect enum PlainYAML {
  case text(String)
  case list([PlainYAML])
  case mapping([(key: String, value: PlainYAML)])

  subscript(key: String) -> PlainYAML? {
    guard case .mapping(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var items: [PlainYAML] { if case .list(let items) = self { items } else { [] } }
  var members: [(key: String, value: PlainYAML)] {
    if case .mapping(let members) = self { members } else { [] }
  }

  init(_ lines: some Sequence<Substring>) {
    var reader = PlainYAMLReader(lines)
    self = reader.block(indent: 0)
  }
}

/// Reads lines from top to bottom.
private struct PlainYAMLReader {
  private var lines: ArraySlice<Substring>

  init(_ lines: some Sequence<Substring>) {
    self.lines = Array(lines.filter { !$0.isBlank && !$0.hasPrefix("#") })[...]
  }

  /// What stands at one indentation.
  mutating func block(indent: Int) -> PlainYAML {
    var items: [PlainYAML] = []
    var members: [(key: String, value: PlainYAML)] = []
    while let line = lines.first, line.indent == indent {
      let text = line.dropFirst(indent)
      if text.hasPrefix("- ") {
        items.append(item(text.dropFirst(2), indent: indent + 2))
      } else {
        members.append(member(text, indent: indent))
      }
    }
    return items.isEmpty ? .mapping(members) : .list(items)
  }

  /// An item that begins with a key is a mapping; its other keys stand below the first.
  private mutating func item(_ text: Substring, indent: Int) -> PlainYAML {
    guard text.firstMatch(of: /^[\w-]+:( |$)/) != nil else {
      lines.removeFirst()
      return value(text, indent: indent - 2)
    }
    lines[lines.startIndex] = Substring(String(repeating: " ", count: indent) + text)
    return block(indent: indent)
  }

  private mutating func member(
    _ text: Substring, indent: Int
  ) -> (key: String, value: PlainYAML) {
    lines.removeFirst()
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = (parts.count > 1 ? parts[1] : "").drop { $0 == " " }
    return (String(parts[0]), value(rest, indent: indent))
  }

  private mutating func value(_ text: Substring, indent: Int) -> PlainYAML {
    switch text {
    case "|": return .text(indented(beyond: indent).joined(separator: "\n") + "\n")
    case ">-": return .text(indented(beyond: indent).joined(separator: " "))
    case "":
      guard let next = lines.first, next.indent > indent else { return .text("") }
      return block(indent: next.indent)
    default: return .text(String(text))
    }
  }

  private mutating func indented(beyond indent: Int) -> [Substring] {
    let own = lines.prefix { $0.indent > indent }
    lines = lines.dropFirst(own.count)
    let margin = own.first?.indent ?? 0
    return own.map { $0.dropFirst(margin) }
  }
}

extension Substring {
  fileprivate var indent: Int { prefix { $0 == " " }.count }
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
