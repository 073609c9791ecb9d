internal import JSONText

/// Explanations as text and as JSON.
enum ExplainText {
  /// Every topic with its facts.
  static func text(_ topics: [ExplainedTopic], style: Style, width: Int) -> String {
    topics.map { topic in
      let heading = "\(style.bold(topic.name))  (\(topic.kind.rawValue))"
      let body = [wrapped(topic.summary, indent: 2, width)]
      let labels = topic.facts.map(\.label.count).max() ?? 0
      let facts = topic.facts.filter { !$0.text.isEmpty }.map { label, text in
        label.isEmpty
          ? wrapped(text, indent: 2, width)
          : "  \(label)\(spaces(labels - label.count + 2))"
            + wrapped(text, indent: labels + 4, width).drop { $0 == " " }
      }
      return ([heading] + body + facts).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// The names of all topics, by kind, each with its first line.
  static func list(_ topics: [ExplainedTopic]) -> String {
    let width = topics.map(\.name.count).max() ?? 0
    return ExplainedTopic.Kind.allCases.map { kind in
      let rows = topics.filter { $0.kind == kind }.map { topic in
        "  \(topic.name)\(spaces(width - topic.name.count + 2))\(topic.summary)"
      }
      return ([heading(kind)] + rows).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
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
        json.member(fact.label.isEmpty ? "explanation" : fact.label, fact.text)
      }
      json.endObject()
    }
    json.endArray()
    json.endLine()
    return json.bytes
  }

  private static func heading(_ kind: ExplainedTopic.Kind) -> String {
    kind == .status ? "statuses" : kind.rawValue + "s"
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// Text broken between words, each line indented.
  private static func wrapped(_ text: String, indent: Int, _ width: Int) -> String {
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
