package import JSONText

/// The part of JSON Schema (2020-12) that the schemas of outputs are written in. Stricter than it: a
/// key that a schema does not name is a fault.
package struct JSONSchema {
  private let schema: JSON

  package init(_ schema: JSON) { self.schema = schema }

  /// What of a value the schema does not allow, each with its path; empty for a value that fits.
  package func faults(in value: JSON) -> [String] { faults(value, schema, "$") }

  private func faults(_ value: JSON, _ schema: JSON, _ path: String) -> [String] {
    if let choices = schema["anyOf"]?.array {
      let all = choices.map { faults(value, $0, path) }
      return all.contains(where: \.isEmpty) ? [] : all.min { $0.count < $1.count } ?? []
    }
    if let types = schema["type"], !types.names.contains(where: value.isOfType) {
      return ["\(path) is \(value.kind), not \(types.names.joined(separator: " or "))"]
    }
    if let words = schema["enum"]?.array, !words.contains(value) {
      return ["\(path) is \(value.encodedString()), which is not listed"]
    }
    return elements(value, schema, path) + members(value, schema, path)
  }

  private func elements(_ value: JSON, _ schema: JSON, _ path: String) -> [String] {
    guard let items = schema["items"] else { return [] }
    return (value.array ?? []).enumerated().flatMap { faults($1, items, "\(path)[\($0)]") }
  }

  private func members(_ value: JSON, _ schema: JSON, _ path: String) -> [String] {
    guard let object = value.object else { return [] }
    let required = schema["required"]?.names ?? []
    let missing = required.filter { object[$0] == nil }.map { "\(path).\($0) is missing" }
    guard schema["properties"] != nil || schema["additionalProperties"] != nil else {
      return missing
    }
    return missing
      + object.members.flatMap { member in
        let place = "\(path).\(member.key)"
        let known = schema["properties"]?[member.key] ?? schema["additionalProperties"]
        return known.map { faults(member.value, $0, place) } ?? ["\(place) is not in the schema"]
      }
  }
}

extension JSON {
  /// A text, or texts.
  fileprivate var names: [String] { string.map { [$0] } ?? array?.compactMap(\.string) ?? [] }

  fileprivate func isOfType(_ name: String) -> Bool {
    switch content {
    case .null: name == "null"
    case .bool: name == "boolean"
    case .number(let number): name == "number" || name == "integer" && number.int != nil
    case .string: name == "string"
    case .array: name == "array"
    case .object: name == "object"
    }
  }
}
