/// The shape of a JSON value in a documented output. JSON Schemas, and the list of fields for
/// `--json=FIELDS`, are made from it.
package indirect enum JSONShape: Sendable {
  case text
  case word([String])
  case integer
  case number
  case truth
  case anything
  case array(JSONShape)
  /// An object whose keys are not known in advance.
  case map(JSONShape)
  case object([Key])
  /// One of several objects.
  case either([JSONShape])
  case orNull(JSONShape)

  /// A key of an object.
  package struct Key: Sendable {
    package let name: String
    package let shape: JSONShape
    /// The key is in every such object.
    package var isAlways = true
    /// The meaning of the value, in a clause.
    package let meaning: String

    package init(_ name: String, _ shape: JSONShape, _ meaning: String) {
      (self.name, self.shape, self.meaning) = (name, shape, meaning)
    }

    /// The same key, marked as optional.
    package var sometimes: Key {
      var key = self
      key.isAlways = false
      return key
    }
  }
}

// JSON Schema.
extension JSONShape {
  /// The JSON Schema (2020-12) of a whole output, indented, with a trailing newline. Keys that it
  /// does not name are allowed, because a later version may print them.
  package func schema(titled title: String) -> [UInt8] {
    members.schema(titled: title)
  }

  private var schema: JSON { members.object }

  private var members: [JSONMember] {
    switch self {
    case .text: [.type("string")]
    case .word(let words): [.type("string"), JSONMember(key: "enum", value: words.jsonValue)]
    case .integer: [.type("integer")]
    case .number: [.type("number")]
    case .truth: [.type("boolean")]
    case .anything: []
    case .array(let shape): [.type("array"), JSONMember(key: "items", value: shape.schema)]
    case .map(let shape):
      [.type("object"), JSONMember(key: "additionalProperties", value: shape.schema)]
    case .object(let keys): Self.members(keys)
    case .either(let shapes): [.anyOf(shapes.map(\.schema))]
    case .orNull(let shape): shape.membersOrNull
    }
  }

  private var membersOrNull: [JSONMember] {
    switch self {
    case .text, .integer, .number, .truth:
      members.map { JSONMember(key: $0.key, value: [$0.value, "null"]) }
    default: [.anyOf([schema, ["type": "null"]])]
    }
  }

  private static func members(_ keys: [Key]) -> [JSONMember] {
    let properties = keys.map { key in
      JSONMember(key: key.name, value: ([.description(key.meaning)] + key.shape.members).object)
    }
    return [
      .type("object"), JSONMember(key: "properties", value: properties.object),
      JSONMember(key: "required", value: keys.filter(\.isAlways).map(\.name).jsonValue),
    ]
  }
}

extension JSONMember {
  package static func type(_ name: String) -> JSONMember {
    JSONMember(key: "type", value: name.jsonValue)
  }

  package static func anyOf(_ schemas: [JSON]) -> JSONMember {
    JSONMember(key: "anyOf", value: JSON(.array(schemas)))
  }

  package static func description(_ meaning: String) -> JSONMember {
    JSONMember(key: "description", value: meaning.jsonValue)
  }
}

extension [JSONMember] {
  /// The text of a JSON Schema of these members, indented, with a trailing newline.
  package func schema(titled title: String) -> [UInt8] {
    let head = [
      JSONMember(key: "$schema", value: "https://json-schema.org/draft/2020-12/schema"),
      JSONMember(key: "title", value: title.jsonValue),
    ]
    return (head + self).object.encoded(.pretty) + [UInt8(ascii: "\n")]
  }

  package var object: JSON { JSON(.object(JSONObject(self))) }
}
