internal import APNS
internal import JSONText

/// Explanations as text and as JSON.
enum ExplainText {
  /// Every topic with its facts.
  static func text(_ topics: [ExplainedTopic], style: Style, width: Int) -> String {
    topics.map { text($0, style, width) }.joined(separator: "\n")
  }

  private static func text(_ topic: ExplainedTopic, _ style: Style, _ width: Int) -> String {
    var lines = [style.bold(topic.name) + "  (" + topic.kind.rawValue + ")"]
    lines.append(wrapped(topic.summary, indent: 2, width))
    let margin = topic.facts.map(\.label.count).max() ?? 0
    for fact in topic.facts where !fact.text.isEmpty {
      lines.append(text(fact.label, fact.text, margin: margin, width))
    }
    lines += causes(topic.causes, width)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(
    _ label: String, _ text: String, margin: Int, _ width: Int
  ) -> String {
    if label.isEmpty { return wrapped(text, indent: 2, width) }
    let body = wrapped(text, indent: margin + 4, width).drop { $0 == " " }
    return "  " + label + spaces(margin - label.count + 2) + String(body)
  }

  /// Causes as a numbered list, each with its fix below it.
  static func causes(_ causes: [Cause], _ width: Int) -> [String] {
    guard !causes.isEmpty else { return [] }
    let rows = causes.enumerated().flatMap { index, cause in
      [
        "  \(index + 1). " + wrapped(cause.text, indent: 5, width).drop { $0 == " " },
        wrapped(cause.fix, indent: 5, width),
      ]
    }
    return ["  What may be behind it, the likeliest first:"] + rows
  }

  /// The names of all topics, by kind, each with its first line.
  static func list(_ topics: [ExplainedTopic]) -> String {
    let width = topics.map(\.name.count).max() ?? 0
    let sections = ExplainedTopic.Kind.allCases.map { kind in
      section(kind, topics.filter { $0.kind == kind }, width)
    }
    return sections.joined(separator: "\n")
  }

  private static func section(
    _ kind: ExplainedTopic.Kind, _ topics: [ExplainedTopic], _ width: Int
  ) -> String {
    var lines = [heading(kind)]
    for topic in topics {
      lines.append("  " + topic.name + spaces(width - topic.name.count + 2) + topic.summary)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The topics as one array of JSON objects.
  static func json(_ topics: [ExplainedTopic]) -> [UInt8] {
    var json = JSONWriter(.pretty)
    json.beginArray()
    for topic in topics {
      json.beginObject()
      json.member("kind", topic.kind.rawValue)
      json.member("name", topic.name)
      json.member("summary", topic.summary)
      for fact in topic.facts where !fact.text.isEmpty {
        json.member(key(of: fact.label), fact.text)
      }
      if !topic.causes.isEmpty { write(topic.causes, to: &json) }
      json.endObject()
    }
    json.endArray()
    json.endLine()
    return json.bytes
  }

  /// A label as a key: `signs in` is `signsIn`.
  private static func key(of label: String) -> String {
    let words = label.split(separator: " ").enumerated().map { index, word in
      index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst()
    }
    return words.isEmpty ? "explanation" : words.joined()
  }

  private static func write(_ causes: [Cause], to json: inout JSONWriter) {
    json.key("causes")
    json.beginArray()
    for cause in causes {
      json.beginObject()
      json.member("text", cause.text)
      json.member("fix", cause.fix)
      json.endObject()
    }
    json.endArray()
  }

  private static func heading(_ kind: ExplainedTopic.Kind) -> String {
    kind == .status ? "statuses" : kind.rawValue + "s"
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// Text broken between words, each line indented.
  static func wrapped(_ text: String, indent: Int, _ width: Int) -> String {
    var lines = [spaces(indent)]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.count > indent, last.count + word.count + 1 > width {
        lines.append(spaces(indent) + word)
      } else {
        lines[lines.count - 1] += (last.count > indent ? " " : "") + word
      }
    }
    return lines.joined(separator: "\n")
  }
}
