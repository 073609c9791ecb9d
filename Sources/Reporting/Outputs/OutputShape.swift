internal import JSONText

/// The shape of a value in a documented output. JSON Schemas, and the list of fields for
/// `--json=FIELDS`, are generated from it.
package indirect enum OutputShape: Sendable {
  case text
  case word([String])
  case integer
  case number
  case truth
  case anything
  case array(OutputShape)
  /// An object whose keys are not known in advance.
  case map(OutputShape)
  case object([OutputField])
  /// One of several objects.
  case either([OutputShape])
  case orNull(OutputShape)
}

/// A key of an object in the output.
package struct OutputField: Sendable {
  package let name: String
  let shape: OutputShape
  /// The key is in every such object.
  var isAlways = true
  /// The meaning of the value, in a clause.
  let meaning: String

  package init(_ name: String, _ shape: OutputShape, _ meaning: String) {
    (self.name, self.shape, self.meaning) = (name, shape, meaning)
  }

  /// The same key, marked as optional.
  package var sometimes: OutputField {
    var field = self
    field.isAlways = false
    return field
  }
}

// JSON Schema.
extension OutputShape {
  /// The JSON Schema (2020-12) of a whole output, indented, with a trailing newline. Keys that it
  /// does not name are allowed, because a later version may print them.
  package func schema(titled title: String) -> [UInt8] {
    let head = [
      JSONMember(key: "$schema", value: "https://json-schema.org/draft/2020-12/schema"),
      JSONMember(key: "title", value: .text(title)),
    ]
    return JSON(.object(JSONObject(head + members))).encoded(.pretty) + [UInt8(ascii: "\n")]
  }

  private var schema: JSON { JSON(.object(JSONObject(members))) }

  private var members: [JSONMember] {
    switch self {
    case .text: [.type("string")]
    case .word(let words): [.type("string"), JSONMember(key: "enum", value: .texts(words))]
    case .integer: [.type("integer")]
    case .number: [.type("number")]
    case .truth: [.type("boolean")]
    case .anything: []
    case .array(let shape): [.type("array"), JSONMember(key: "items", value: shape.schema)]
    case .map(let shape):
      [.type("object"), JSONMember(key: "additionalProperties", value: shape.schema)]
    case .object(let fields): Self.members(fields)
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

  private static func members(_ fields: [OutputField]) -> [JSONMember] {
    let properties = fields.map { field in
      let meaning = JSONMember(key: "description", value: .text(field.meaning))
      return JSONMember(
        key: field.name, value: JSON(.object(JSONObject([meaning] + field.shape.members))))
    }
    return [
      .type("object"), JSONMember(key: "properties", value: JSON(.object(JSONObject(properties)))),
      JSONMember(key: "required", value: .texts(fields.filter(\.isAlways).map(\.name))),
    ]
  }
}

extension JSONMember {
  fileprivate static func type(_ name: String) -> JSONMember {
    JSONMember(key: "type", value: .text(name))
  }

  fileprivate static func anyOf(_ schemas: [JSON]) -> JSONMember {
    JSONMember(key: "anyOf", value: JSON(.array(schemas)))
  }
}

/// The keys of every documented JSON output, in one table each.
package enum Outputs {
  package static let problem = [
    OutputField("severity", .word(["error", "warning"]), "How bad it is."),
    OutputField("rule", .text, "The broken rule."),
    OutputField("file", .orNull(.text), "The file; null for options."),
    OutputField("line", .orNull(.integer), "The line in the file, from 1."),
    OutputField("column", .orNull(.integer), "The column in the line, from 1."),
    OutputField("path", .text, "The key, header or part concerned."),
    OutputField("message", .text, "What is wrong."), OutputField("fix", .text, "What to do."),
  ]
}
