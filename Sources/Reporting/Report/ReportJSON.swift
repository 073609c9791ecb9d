package import APNS
package import JSONText

package enum ReportJSON {
  /// The report in JSON, with a trailing newline.
  package static func bytes(_ report: Report) -> [UInt8] {
    switch report.form {
    case .line: report.json.encoded() + [0x0A]
    case .object, .array: report.json.encoded(.pretty) + [0x0A]
    case .lines: report.parts.elements.flatMap { $0.encoded() + [0x0A] }
    }
  }
}

extension Report {
  package var json: JSON {
    switch form {
    case .line, .object: parts.object
    case .array, .lines: JSON(.array(parts.elements))
    }
  }
}

extension [Report.Part] {
  fileprivate var object: JSON { JSON(.object(JSONObject(flatMap(\.members)))) }

  fileprivate var elements: [JSON] {
    flatMap { part -> [JSON] in
      switch part {
      case .list(let list) where list.key == nil: list.elements.map(\.object)
      case .section(_, nil, let parts): parts.elements
      default: []
      }
    }
  }
}

extension Report.Part {
  fileprivate var members: [JSONMember] {
    switch self {
    case .fact(let fact): Self.member(fact.key, fact.value)
    case .problems(let key, let problems):
      Self.member(key, JSON(.array(problems.map(\.jsonValue))))
    case .section(_, nil, let parts): parts.flatMap(\.members)
    case .section(_, let key, let parts): Self.member(key, parts.object)
    case .list(let list): Self.member(list.key, list.json)
    case .paragraph, .lines, .source: []
    }
  }

  private static func member(_ key: String?, _ value: JSON) -> [JSONMember] {
    key.map { [JSONMember(key: $0, value: value)] } ?? []
  }
}

extension Report.List {
  fileprivate var json: JSON {
    let values = elements.map(\.object)
    guard let names else { return JSON(.array(values)) }
    return JSON(.object(JSONObject(zip(names, values).map { JSONMember(key: $0, value: $1) })))
  }
}

extension Problem: JSONDescribed {
  package static let fields: [JSONField<Self>] = [
    .always("severity", \.severity, "How bad it is."), .always("rule", \.rule, "The broken rule."),
    .always("file", \.file, "The file; null for options."),
    .always("line", \.line, "The line in the file, from 1."),
    .always("column", \.column, "The column in the line, from 1."),
    .always("path", \.place.description, "The key, header or part concerned."),
    .always("message", \.message, "What is wrong."), .always("fix", \.fix, "What to do."),
  ]
}

extension JSON {
  package static func text(_ text: String?) -> JSON { text.jsonValue }

  package static func number(_ number: (some BinaryInteger & JSONValue)?) -> JSON {
    number.jsonValue
  }

  /// A number with a fraction; null when it is nil or not finite.
  package static func decimal(_ number: Double?) -> JSON { number.jsonValue }

  package static func flag(_ flag: Bool?) -> JSON { flag.jsonValue }

  package static func texts(_ texts: [String]) -> JSON { texts.jsonValue }

  /// The value for people: counts with commas, arrays as a list; nil for null, an empty array and
  /// an object.
  var reading: StyledText? {
    switch content {
    case .null, .object: nil
    case .bool(let flag): flag ? "yes" : "no"
    case .number(let number): StyledText(number.int.map(grouped) ?? number.text)
    case .string(let text): StyledText(text)
    case .array(let elements):
      elements.isEmpty
        ? nil : StyledText(elements.compactMap { $0.reading?.plain }.joined(separator: ", "))
    }
  }
}
