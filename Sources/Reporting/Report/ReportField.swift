package import JSONText

/// A field of a report: its name, type, meaning and value in JSON, and its label and words for
/// people.
///
/// A table of fields makes the parts of a report and describes them; schemas and the list of fields
/// for `--json=FIELDS` are made from the same table.
package struct ReportField<Source>: Sendable {
  /// The keys in JSON; none for something that only people see.
  package let keys: [JSONShape.Key]
  fileprivate let parts: @Sendable (Source) -> [Report.Part]

  /// Creates a field, or several, from parts that have the keys.
  package init(_ keys: [JSONShape.Key], _ parts: @escaping @Sendable (Source) -> [Report.Part]) {
    (self.keys, self.parts) = (keys, parts)
  }

  /// Creates a field that only programs see.
  package init(_ field: JSONField<Source>) {
    self.init([field.key]) { source in
      field.value(source).map { [.json(field.key.name, $0)] } ?? []
    }
  }

  /// Returns a field that every object has.
  ///
  /// - Parameters:
  ///   - shape: the shape of the values, where it is narrower than the type's.
  ///   - label: the label for people; nil for programs only.
  ///   - words: what people read, nil to hide it; by default the value as it is.
  package static func always<Value: JSONValue>(
    _ name: String, _ value: @escaping @Sendable (Source) -> Value, _ meaning: String,
    _ shape: JSONShape = Value.jsonShape, as label: StyledText? = nil,
    _ words: (@Sendable (Source) -> StyledText?)? = nil
  ) -> Self {
    Self(.always(name, value, meaning, shape)).labelled(label, words)
  }

  /// Returns a field that is missing where there is no value.
  package static func sometimes<Value: JSONValue>(
    _ name: String, _ value: @escaping @Sendable (Source) -> Value?, _ meaning: String,
    _ shape: JSONShape = Value.jsonShape, as label: StyledText? = nil,
    _ words: (@Sendable (Source) -> StyledText?)? = nil
  ) -> Self {
    Self(.sometimes(name, value, meaning, shape)).labelled(label, words)
  }

  /// The field with a label and words for people.
  package func labelled(
    _ label: StyledText?, _ words: (@Sendable (Source) -> StyledText?)?
  ) -> Self {
    guard let label else { return self }
    return Self(keys) { source in
      parts(source).map { part in
        guard case .fact(var fact) = part else { return part }
        (fact.name, fact.shown) = (label, words.map { $0(source) } ?? fact.value.reading)
        return .fact(fact)
      }
    }
  }

  /// Returns parts that only people see.
  package static func people(_ parts: @escaping @Sendable (Source) -> [Report.Part]) -> Self {
    Self([], parts)
  }

  /// Returns a table's fields as one.
  package static func all(_ fields: [Self]) -> Self { .all(fields) { $0 } }

  /// Returns the fields of a part of the source, as members of the same object.
  package static func all<Part>(
    _ fields: [ReportField<Part>], of part: @escaping @Sendable (Source) -> Part
  ) -> Self {
    Self(fields.keys()) { fields.parts(of: part($0)) }
  }

  /// Returns the fields of a part of the source, which only programs see.
  package static func all<Part>(
    _ fields: [JSONField<Part>], of part: @escaping @Sendable (Source) -> Part
  ) -> Self {
    .all(fields.map { ReportField<Part>($0) }, of: part)
  }

  /// Returns the fields of a part that not every source has.
  package static func some<Part>(
    _ fields: [ReportField<Part>], of part: @escaping @Sendable (Source) -> Part?
  ) -> Self {
    Self(fields.keys().map(\.sometimes)) { part($0).map { fields.parts(of: $0) } ?? [] }
  }

  /// Returns fields that people see under a heading, as members of the same object.
  package static func section(_ heading: StyledText, _ fields: [Self]) -> Self {
    Self(fields.keys()) { [.section(heading, fields.parts(of: $0))] }
  }

  /// Returns a field that is an array of objects; people may see a table with a row for each.
  package static func list<Element>(
    _ name: String, _ elements: @escaping @Sendable (Source) -> [Element], _ meaning: String,
    _ fields: [ReportField<Element>], isTable: Bool = false
  ) -> Self {
    Self([.init(name, .array(fields.shape()), meaning)]) { source in
      let rows = elements(source).map { fields.parts(of: $0) }
      return [isTable ? .table(name, rows) : .list(name, rows)]
    }
  }

  /// Returns the fix for the field above.
  package static func fix(
    _ fix: @escaping @Sendable (Source) -> String?, _ meaning: String = "What to do.",
    _ shape: JSONShape = String?.jsonShape
  ) -> Self {
    Self([.init("fix", shape, meaning)]) { [.fix(fix($0))] }
  }
}

extension Array {
  /// The parts that a table of fields makes of a source.
  package func parts<Source>(of source: Source) -> [Report.Part]
  where Element == ReportField<Source> {
    flatMap { $0.parts(source) }
  }

  /// The keys of the object that a table of fields makes.
  package func keys<Source>() -> [JSONShape.Key] where Element == ReportField<Source> {
    flatMap(\.keys)
  }

  /// The shape of the object that a table of fields makes.
  package func shape<Source>() -> JSONShape where Element == ReportField<Source> {
    .object(keys())
  }
}

extension JSONDescribed {
  /// The members of the object, which only programs see.
  package var parts: [Report.Part] { Self.fields.map { ReportField($0) }.parts(of: self) }
}

/// The documented JSON outputs that several modules need.
package enum Outputs {}
