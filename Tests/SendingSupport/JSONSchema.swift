package import JSONText

/// The part of JSON Schema (2020-12) that the schemas of outputs are written in. Stricter than it: a
/// key that a schema does not name is a fault.
package struct JSONSchema {
  private let schema: JSON

  package init(_ schema: JSON) { self.schema = schema }

  /// What of a value the schema does not allow, each with its path; empty for a value that fits.
  package func faults(in value: JSON) -> [String] { faults(value, schema, "$") }

  /// The places of all keys that the schema describes, such as `$.push.status`.
  package var keys: Set<String> { keys(schema, "$") }

  /// The places of the described keys that a value has.
  package func keys(in value: JSON) -> Set<String> { keys(value, schema, "$") }

  private func keys(_ schema: JSON, _ path: String) -> Set<String> {
    var found: Set<String> = []
    for (index, choice) in (schema["anyOf"]?.array ?? []).enumerated() {
      found.formUnion(keys(choice, "\(path)|\(index)"))
    }
    if let items = schema["items"] { found.formUnion(keys(items, path + "[]")) }
    if let others = schema["additionalProperties"] { found.formUnion(keys(others, path + ".*")) }
    for member in schema["properties"]?.object?.members ?? [] {
      found.insert("\(path).\(member.key)")
      found.formUnion(keys(member.value, "\(path).\(member.key)"))
    }
    return found
  }

  private func keys(_ value: JSON, _ schema: JSON, _ path: String) -> Set<String> {
    let choices = (schema["anyOf"]?.array ?? []).enumerated()
    if let (index, choice) = choices.first(where: { faults(value, $1, path).isEmpty }) {
      return keys(value, choice, "\(path)|\(index)")
    }
    var found: Set<String> = []
    if let items = schema["items"] {
      for element in value.array ?? [] { found.formUnion(keys(element, items, path + "[]")) }
    }
    for member in value.object?.members ?? [] {
      if let known = schema["properties"]?[member.key] {
        found.insert("\(path).\(member.key)")
        found.formUnion(keys(member.value, known, "\(path).\(member.key)"))
      } else if let others = schema["additionalProperties"] {
        found.formUnion(keys(member.value, others, path + ".*"))
      }
    }
    return found
  }

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
