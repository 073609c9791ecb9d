internal import JSONText

extension FileShape {
  /// The JSON Schema (2020-12) of a whole file, indented, ending in a line feed.
  package func schema(titled title: String) -> [UInt8] {
    let head: [JSONMember] = [
      JSONMember(key: "$schema", value: "https://json-schema.org/draft/2020-12/schema"),
      JSONMember(key: "title", value: .text(title)),
    ]
    return JSON.members(head + members).encoded(.pretty) + [UInt8(ascii: "\n")]
  }

  private var schema: JSON { .members(members) }

  private var members: [JSONMember] {
    switch self {
    case .text: [.type("string")]
    case .form(let form):
      [.type("string")]
        + (form.pattern.map { [JSONMember(key: "pattern", value: .text($0))] } ?? [])
    case .word(let words, _): [JSONMember(key: "enum", value: .texts(words))]
    case .openWord(let words):
      [JSONMember(key: "anyOf", value: [["enum": .texts(words)], ["type": "string"]])]
    case .number: [.type("number")]
    case .integer(let range): [.type("integer")] + .limits(range)
    case .ratio: [.type("number")] + .limits(0...1)
    case .truth: [.type("boolean")]
    case .yes: [JSONMember(key: "const", value: true)]
    case .object(let shape): shape.members
    case .map(let shape):
      [.type("object"), JSONMember(key: "additionalProperties", value: shape.schema)]
    case .words:
      FileShape.array(.text).members + [JSONMember(key: "minItems", value: 1)]
    case .array(let shape): [.type("array"), JSONMember(key: "items", value: shape.schema)]
    case .either(let shapes):
      [
        JSONMember(
          key: "anyOf", value: JSON(.array(shapes.filter { !$0.isRefused }.map(\.schema))))
      ]
    case .anything: []
    }
  }

  fileprivate func schema(helping help: String) -> JSON {
    .members([JSONMember(key: "description", value: .text(help))] + members)
  }
}

extension ObjectShape {
  fileprivate var members: [JSONMember] {
    let properties = keys.filter { $0.refusal == nil }.map {
      JSONMember(key: $0.name, value: $0.shape.schema(helping: $0.help))
    }
    let required = keys.filter(\.isRequired).map(\.name)
    return [.type("object"), JSONMember(key: "properties", value: .members(properties))]
      + (required.isEmpty ? [] : [JSONMember(key: "required", value: .texts(required))])
      + (exclusive.isEmpty ? [] : [JSONMember(key: "allOf", value: exclusions)])
      + [JSONMember(key: "additionalProperties", value: false)]
  }

  /// The mutual exclusions: for each pair of keys, that they are not both present.
  private var exclusions: JSON {
    let pairs = exclusive.flatMap { group in
      group.indices.flatMap { first in group[(first + 1)...].map { [group[first], $0] } }
    }
    return JSON(.array(pairs.map { ["not": ["required": .texts($0)]] }))
  }
}

extension JSON {
  fileprivate static func members(_ members: [JSONMember]) -> JSON {
    JSON(.object(JSONObject(members)))
  }

  fileprivate static func text(_ text: String) -> JSON { JSON(.string(text)) }

  fileprivate static func texts(_ texts: [String]) -> JSON {
    JSON(.array(texts.map { .text($0) }))
  }
}

extension JSONMember {
  fileprivate static func type(_ name: String) -> JSONMember {
    JSONMember(key: "type", value: .text(name))
  }
}

extension [JSONMember] {
  /// The limits of a range; an upper bound of `.max` means no maximum.
  fileprivate static func limits(_ range: ClosedRange<Int>) -> [JSONMember] {
    [("minimum", range.lowerBound), ("maximum", range.upperBound)].compactMap { key, limit in
      limit == .max ? nil : JSONMember(key: key, value: JSON(integerLiteral: limit))
    }
  }
}
