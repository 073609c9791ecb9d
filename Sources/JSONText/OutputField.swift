/// A field of an output: its name, type and meaning, and how it is written.
///
/// A table of fields writes objects, rows of tables and parts of reports. Schemas, the columns of a
/// table and the names that `--json=FIELDS` takes are made from the same table.
package struct OutputField<Source>: Sendable {
  /// The keys in JSON: usually one; several for fields of a part of the source; none for what only
  /// people see, and for columns of a list, which are not known in advance.
  package let keys: [JSONShape.Key]
  /// Writes the field of a source.
  package let write: @Sendable (Source, any FieldWriter) -> Void

  package init(
    keys: [JSONShape.Key], write: @escaping @Sendable (Source, any FieldWriter) -> Void
  ) {
    (self.keys, self.write) = (keys, write)
  }

  /// Returns a field that every object has; the value's type says whether it may be null.
  ///
  /// - Parameter shape: the shape of the values, where it is narrower than the type's.
  package static func always<Value: JSONValue>(
    _ name: String, _ value: @escaping @Sendable (Source) -> Value, _ meaning: String,
    _ shape: JSONShape = Value.jsonShape
  ) -> Self {
    Self(keys: [.init(name, shape, meaning)]) { $1.write(name, .json(value($0).jsonValue)) }
  }

  /// Returns a field that is left out if it has no value.
  package static func sometimes<Value: JSONValue>(
    _ name: String, _ value: @escaping @Sendable (Source) -> Value?, _ meaning: String,
    _ shape: JSONShape = Value.jsonShape
  ) -> Self {
    Self(keys: [JSONShape.Key(name, shape, meaning).sometimes]) { source, writer in
      writer.write(name, value(source).map { .json($0.jsonValue) })
    }
  }

  /// Returns the fields of a part of the source, as fields of the whole.
  package static func all<Part>(
    _ fields: [OutputField<Part>], of part: @escaping @Sendable (Source) -> Part
  ) -> Self {
    Self(keys: fields.keys()) { fields.write(part($0), to: $1) }
  }

  /// Returns the fields of a part that not every source has.
  package static func some<Part>(
    _ fields: [OutputField<Part>], of part: @escaping @Sendable (Source) -> Part?
  ) -> Self {
    Self(keys: fields.keys().map(\.sometimes)) { source, writer in
      if let part = part(source) { fields.write(part, to: writer) }
    }
  }
}

extension Array {
  /// The keys of the object that a table of fields makes.
  package func keys<Source>() -> [JSONShape.Key] where Element == OutputField<Source> {
    flatMap(\.keys)
  }

  /// The shape of the object that a table of fields makes.
  package func shape<Source>() -> JSONShape where Element == OutputField<Source> {
    .object(keys())
  }

  /// Writes the fields of a source.
  package func write<Source>(_ source: Source, to writer: any FieldWriter)
  where Element == OutputField<Source> {
    for field in self { field.write(source, writer) }
  }

  /// Writes the object that a table of fields makes of a source.
  package func write<Source>(_ source: Source, to json: inout JSONWriter)
  where Element == OutputField<Source> {
    let writer = JSONFieldWriter(consume json)
    writer.json.beginObject()
    write(source, to: writer)
    writer.json.endObject()
    json = writer.json
  }

  /// The object that a table of fields makes of a source, on a line.
  package func line<Source>(of source: Source) -> [UInt8] where Element == OutputField<Source> {
    var json = JSONWriter()
    write(source, to: &json)
    json.endLine()
    return json.bytes
  }

  /// The object that a table of fields makes of a source.
  package func object<Source>(of source: Source) -> JSON where Element == OutputField<Source> {
    let writer = MemberWriter()
    write(source, to: writer)
    return JSON(.object(JSONObject(distinct: writer.members)))
  }
}

/// What takes the fields of a source one by one: a format of files, JSON, or a report.
package protocol FieldWriter: AnyObject {
  /// Takes the value of a field; nil where the source has none.
  func write(_ name: String, _ value: FieldValue?)
}

/// A value on its way into a format.
package enum FieldValue {
  case null
  case text(String)
  case integer(Int64)
  /// A number with three decimals, in thousandths.
  case thousandths(Int)
  /// Digits, letters and hyphens, such as those of a device token or an `apns-id`.
  case digits(UnsafeBufferPointer<UInt8>)
  /// A value from a row of a list, which stays as it is: text, or JSON.
  case listed(UnsafeBufferPointer<UInt8>, isJSON: Bool)
  case json(JSON)

  package var json: JSON {
    switch self {
    case .null: nil
    case .text(let text): text.jsonValue
    case .integer(let number): number.jsonValue
    case .thousandths(let number): (Double(number) / 1000).jsonValue
    case .digits(let bytes), .listed(let bytes, isJSON: false):
      String(decoding: bytes, as: UTF8.self).jsonValue
    case .listed(let bytes, isJSON: true): (try? JSONReader().read(bytes)) ?? nil
    case .json(let json): json
    }
  }
}

/// Writes fields as the members of JSON objects.
package final class JSONFieldWriter: FieldWriter {
  package var json: JSONWriter

  package init(_ json: consuming JSONWriter = JSONWriter()) { self.json = json }

  package func write(_ name: String, _ value: FieldValue?) {
    if let value { json.member(name, value) }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ value: FieldValue) {
    key(name)
    switch value {
    case .null: null()
    case .text(let text): string(text)
    case .integer(let number): integer(number)
    case .thousandths(let number): double(Double(number) / 1000)
    case .digits(let bytes): string(plainASCII: bytes)
    case .listed, .json: self.value(value.json)
    }
  }
}

private final class MemberWriter: FieldWriter {
  var members: [JSONMember] = []

  func write(_ name: String, _ value: FieldValue?) {
    if let value { members.append(JSONMember(key: name, value: value.json)) }
  }
}
