/// A field of an object in JSON: its name, type and meaning, and its value in a source.
///
/// A table of fields writes an object and describes it; schemas are made from the same table.
package struct JSONField<Source>: Sendable {
  package let key: JSONShape.Key
  /// The value; nil where an object lacks the field.
  package let value: @Sendable (Source) -> JSON?

  /// Returns a field that every object has; the value's type says whether it may be null.
  ///
  /// - Parameter shape: the shape of the values, where it is narrower than the type's.
  package static func always<Value: JSONValue>(
    _ name: String, _ value: @escaping @Sendable (Source) -> Value, _ meaning: String,
    _ shape: JSONShape = Value.jsonShape
  ) -> Self {
    Self(key: .init(name, shape, meaning)) { value($0).jsonValue }
  }

  /// Returns a field that is missing where there is no value.
  package static func sometimes<Value: JSONValue>(
    _ name: String, _ value: @escaping @Sendable (Source) -> Value?, _ meaning: String,
    _ shape: JSONShape = Value.jsonShape
  ) -> Self {
    Self(key: .init(name, shape, meaning).sometimes) { value($0)?.jsonValue }
  }

  private init(key: JSONShape.Key, value: @escaping @Sendable (Source) -> JSON?) {
    (self.key, self.value) = (key, value)
  }

  /// Returns the fields of a part of the source, as fields of the whole.
  package static func all<Part>(
    _ fields: [JSONField<Part>], of part: @escaping @Sendable (Source) -> Part
  ) -> [Self] {
    fields.map { field in Self(key: field.key) { field.value(part($0)) } }
  }
}

extension Array {
  /// The object that a table of fields makes of a source.
  package func object<Source>(of source: Source) -> JSON where Element == JSONField<Source> {
    let members = compactMap { field in
      field.value(source).map { JSONMember(key: field.key.name, value: $0) }
    }
    return JSON(.object(JSONObject(distinct: members)))
  }

  /// Writes the object that a table of fields makes of a source.
  package func write<Source>(_ source: Source, to json: inout JSONWriter)
  where Element == JSONField<Source> {
    json.beginObject()
    for field in self {
      guard let value = field.value(source) else { continue }
      json.key(field.key.name)
      json.value(value)
    }
    json.endObject()
  }
}
