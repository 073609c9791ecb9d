package import APNS
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

  private init(
    _ keys: [JSONShape.Key], _ parts: @escaping @Sendable (Source) -> [Report.Part]
  ) {
    (self.keys, self.parts) = (keys, parts)
  }

  /// Creates a field that only programs see.
  package init(_ field: JSONField<Source>) {
    self.init([field.key]) { source in
      field.value(source).map { [.json(field.key.name, $0)] } ?? []
    }
  }

  /// Returns a field that every object has. People do not see it without a label.
  ///
  /// - Parameter shape: the shape of the values, where it is narrower than the type's.
  package static func always<Value: JSONValue>(
    _ name: String, _ meaning: String, _ shape: JSONShape = Value.jsonShape,
    _ value: @escaping @Sendable (Source) -> Value
  ) -> Self {
    Self(.always(name, meaning, shape, value))
  }

  /// Returns a field that is missing where there is no value.
  package static func sometimes<Value: JSONValue>(
    _ name: String, _ meaning: String, _ shape: JSONShape = Value.jsonShape,
    _ value: @escaping @Sendable (Source) -> Value?
  ) -> Self {
    Self(.sometimes(name, meaning, shape, value))
  }

  /// Returns parts that only people see.
  package static func people(_ parts: @escaping @Sendable (Source) -> [Report.Part]) -> Self {
    Self([], parts)
  }

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

  /// Returns fields that people see under a heading, as members of the same object.
  package static func section(_ heading: StyledText, _ fields: [Self]) -> Self {
    Self(fields.keys()) { [.section(heading, fields.parts(of: $0))] }
  }

  /// Returns the fields of a part, which people see under a heading if there is one.
  package static func section<Part>(
    _ fields: [ReportField<Part>], of part: @escaping @Sendable (Source) -> Part,
    under heading: @escaping @Sendable (Source) -> StyledText?
  ) -> Self {
    Self(fields.keys()) {
      [.section(heading: heading($0), key: nil, fields.parts(of: part($0)))]
    }
  }

  /// Returns the fields of a part that not every source has.
  package static func some<Part>(
    _ fields: [ReportField<Part>], of part: @escaping @Sendable (Source) -> Part?
  ) -> Self {
    Self(fields.keys().map(\.sometimes)) { part($0).map { fields.parts(of: $0) } ?? [] }
  }

  /// Returns a field that is an object whose keys are not known in advance.
  package static func map(
    _ name: String, _ meaning: String, of shape: JSONShape,
    _ members: @escaping @Sendable (Source) -> [Report.Part]
  ) -> Self {
    Self([.init(name, .map(shape), meaning)]) { [.object(name, members($0))] }
  }

  /// Returns a field that is an object of its own.
  package static func object<Part>(
    _ name: String, _ meaning: String, _ fields: [ReportField<Part>],
    of part: @escaping @Sendable (Source) -> Part
  ) -> Self {
    Self([.init(name, fields.shape(), meaning)]) { [.object(name, fields.parts(of: part($0)))] }
  }

  /// Returns a field that is an object of its own under a heading, where there is one.
  package static func object<Part>(
    _ name: String, _ meaning: String, under heading: StyledText, _ fields: [ReportField<Part>],
    of part: @escaping @Sendable (Source) -> Part?
  ) -> Self {
    Self([JSONShape.Key(name, fields.shape(), meaning).sometimes]) { source in
      part(source).map {
        [.section(heading: heading, key: name, fields.parts(of: $0))]
      } ?? []
    }
  }

  /// Returns a field of objects by name, of which people see a table.
  package static func table<Element>(
    _ name: String, _ meaning: String, _ fields: [ReportField<Element>],
    by elementName: @escaping @Sendable (Element) -> String,
    of elements: @escaping @Sendable (Source) -> [Element]
  ) -> Self {
    Self([.init(name, .map(fields.shape()), meaning)]) { source in
      let all = elements(source)
      let rows = all.map { fields.parts(of: $0) }
      return [.table(name, rows, names: all.map(elementName))]
    }
  }

  /// Returns the broken rules.
  package static func problems(
    _ meaning: String, _ problems: @escaping @Sendable (Source) -> [Problem]
  ) -> Self {
    Self([.init("problems", [Problem].jsonShape, meaning)]) {
      [.problems(key: "problems", problems($0))]
    }
  }

  /// Returns the fix for the field above.
  package static func fix(
    _ meaning: String = "What to do.", _ fix: @escaping @Sendable (Source) -> String?
  ) -> Self {
    Self([.init("fix", String?.jsonShape, meaning)]) { [.fix(fix($0))] }
  }

  /// Returns a field that is an array of objects.
  ///
  /// - Parameter isTable: people see a table, with a row for each object.
  package static func list<Element>(
    _ name: String, _ meaning: String, _ fields: [ReportField<Element>], isTable: Bool = false,
    of elements: @escaping @Sendable (Source) -> [Element]
  ) -> Self {
    Self([.init(name, .array(fields.shape()), meaning)]) { source in
      let rows = elements(source).map { fields.parts(of: $0) }
      return [isTable ? .table(name, rows) : .list(name, rows)]
    }
  }

  /// The field with a label for people, who read its value as it is.
  package func label(_ label: StyledText) -> Self {
    Self(keys) { source in parts(source).map { $0.labelled(label) } }
  }

  /// The field with a label and words for people; without words they do not see it.
  package func label(
    _ label: StyledText, _ words: @escaping @Sendable (Source) -> StyledText?
  ) -> Self {
    Self(keys) { source in parts(source).map { $0.labelled(label, words(source)) } }
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
  package var parts: [Report.Part] {
    Self.fields.compactMap { field in field.value(self).map { .json(field.key.name, $0) } }
  }
}

extension Report.Part {
  fileprivate func labelled(_ label: StyledText) -> Self {
    guard case .fact(let fact) = self else { return self }
    return labelled(label, fact.value.reading)
  }

  fileprivate func labelled(_ label: StyledText, _ words: StyledText?) -> Self {
    guard case .fact(var fact) = self else { return self }
    (fact.name, fact.shown) = (label, words)
    return .fact(fact)
  }
}

/// The documented JSON outputs: each is declared beside the table that writes it.
package enum Outputs {}
