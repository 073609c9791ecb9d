internal import JSONText

extension FileShape {
  /// The JSON Schema (2020-12) of a whole file, indented, ending in a line feed.
  package func schema(titled title: String) -> [UInt8] {
    members.schema(titled: title)
  }

  private var schema: JSON { members.object }

  private var members: [JSONMember] {
    switch self {
    case .text: [.type("string")]
    case .form(let form):
      [.type("string")]
        + (form.pattern.map { [JSONMember(key: "pattern", value: $0.jsonValue)] } ?? [])
    case .word(let words, _): [JSONMember(key: "enum", value: words.jsonValue)]
    case .openWord(let words): [.anyOf([["enum": words.jsonValue], ["type": "string"]])]
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
    case .either(let shapes): [.anyOf(shapes.filter { !$0.isRefused }.map(\.schema))]
    case .anything: []
    }
  }

  fileprivate func schema(helping help: String) -> JSON { ([.description(help)] + members).object }
}

extension ObjectShape {
  fileprivate var members: [JSONMember] {
    let properties = keys.filter { $0.refusal == nil }.map {
      JSONMember(key: $0.name, value: $0.shape.schema(helping: $0.help))
    }
    let required = keys.filter(\.isRequired).map(\.name)
    return [.type("object"), JSONMember(key: "properties", value: properties.object)]
      + (required.isEmpty ? [] : [JSONMember(key: "required", value: required.jsonValue)])
      + (exclusive.isEmpty ? [] : [JSONMember(key: "allOf", value: exclusions)])
      + [JSONMember(key: "additionalProperties", value: false)]
  }

  /// The mutual exclusions: for each pair of keys, that they are not both present.
  private var exclusions: JSON {
    let pairs = exclusive.flatMap { group in
      group.indices.flatMap { first in group[(first + 1)...].map { [group[first], $0] } }
    }
    return JSON(.array(pairs.map { ["not": ["required": $0.jsonValue]] }))
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
