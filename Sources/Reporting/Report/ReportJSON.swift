package import APNS
package import JSONText

// How people see a field: its label and words, or parts of a report that hold it.
extension OutputField {
  /// Creates a field, or several, from parts that have the keys.
  package init(
    _ keys: [JSONShape.Key], _ parts: @escaping @Sendable (Source) -> [Report.Part]
  ) {
    self.init(keys: keys) { source, writer in
      let parts = parts(source)
      if let report = writer as? ReportWriter { return report.parts += parts }
      for member in parts.flatMap(\.members) { writer.write(member.key, .json(member.value)) }
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
    _ shape: JSONShape = Value.jsonShape, as label: StyledText?,
    _ words: (@Sendable (Source) -> StyledText?)? = nil
  ) -> Self {
    always(name, value, meaning, shape).labelled(label, words)
  }

  /// Returns a field that is left out if it has no value.
  package static func sometimes<Value: JSONValue>(
    _ name: String, _ value: @escaping @Sendable (Source) -> Value?, _ meaning: String,
    _ shape: JSONShape = Value.jsonShape, as label: StyledText?,
    _ words: (@Sendable (Source) -> StyledText?)? = nil
  ) -> Self {
    sometimes(name, value, meaning, shape).labelled(label, words)
  }

  /// The field with a label and words for people.
  package func labelled(
    _ label: StyledText?, _ words: (@Sendable (Source) -> StyledText?)?
  ) -> Self {
    guard let label else { return self }
    return Self(keys) { source in
      [self].parts(of: source).map { part in
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

  /// Returns fields that people see under a heading, as members of the same object.
  package static func section(_ heading: StyledText, _ fields: [Self]) -> Self {
    Self(fields.keys()) { [.section(heading, fields.parts(of: $0))] }
  }

  /// Returns a field that is an array of objects; people may see a table with a row for each.
  package static func list<Element>(
    _ name: String, _ elements: @escaping @Sendable (Source) -> [Element], _ meaning: String,
    _ fields: [OutputField<Element>], isTable: Bool = false
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
  where Element == OutputField<Source> {
    let report = ReportWriter()
    write(source, to: report)
    return report.parts
  }
}

/// Takes fields as parts of a report; those without a label only programs see.
private final class ReportWriter: FieldWriter {
  var parts: [Report.Part] = []

  func write(_ name: String, _ value: FieldValue?) {
    if let value { parts.append(.json(name, value.json)) }
  }
}

extension JSONDescribed {
  /// The fields as parts of a report.
  package var parts: [Report.Part] { Self.fields.parts(of: self) }
}

/// The documented JSON outputs that several modules need.
package enum Outputs {}

package enum ReportJSON {
  /// The report in JSON, with a trailing newline.
  package static func bytes(_ report: Report) -> [UInt8] {
    switch report.form {
    case .line: report.json.encoded() + [0x0A]
    case .object, .array: report.json.encoded(.pretty) + [0x0A]
    case .lines: report.parts.elements.flatMap { $0.encoded() + [0x0A] }
    }
  }
}

extension Report {
  package var json: JSON {
    switch form {
    case .line, .object: parts.object
    case .array, .lines: JSON(.array(parts.elements))
    }
  }
}

extension [Report.Part] {
  fileprivate var object: JSON { flatMap(\.members).object }

  fileprivate var elements: [JSON] {
    flatMap { part -> [JSON] in
      switch part {
      case .list(let list) where list.key == nil: list.elements.map(\.object)
      case .section(_, nil, let parts): parts.elements
      default: []
      }
    }
  }
}

extension Report.Part {
  fileprivate var members: [JSONMember] {
    switch self {
    case .fact(let fact): Self.member(fact.key, fact.value)
    case .problems(let key, let problems):
      Self.member(key, JSON(.array(problems.map(\.jsonValue))))
    case .section(_, nil, let parts): parts.flatMap(\.members)
    case .section(_, let key, let parts): Self.member(key, parts.object)
    case .list(let list): Self.member(list.key, list.json)
    case .paragraph, .lines, .source: []
    }
  }

  private static func member(_ key: String?, _ value: JSON) -> [JSONMember] {
    key.map { [JSONMember(key: $0, value: value)] } ?? []
  }
}

extension Report.List {
  fileprivate var json: JSON {
    let values = elements.map(\.object)
    guard let names else { return JSON(.array(values)) }
    return zip(names, values).map { JSONMember(key: $0, value: $1) }.object
  }
}

extension Problem: JSONDescribed {
  package static let fields: [OutputField<Self>] = [
    .always("severity", \.severity, "How bad it is."), .always("rule", \.rule, "The broken rule."),
    .always("file", \.file, "The file; null for options."),
    .always("line", \.line, "The line in the file, from 1."),
    .always("column", \.column, "The column in the line, from 1."),
    .always("path", \.place.description, "The key, header or part concerned."),
    .always("message", \.message, "What is wrong."), .always("fix", \.fix, "What to do."),
  ]
}

extension JSON {
  package static func text(_ text: String?) -> JSON { text.jsonValue }

  package static func number(_ number: (some BinaryInteger & JSONValue)?) -> JSON {
    number.jsonValue
  }

  /// A number with a fraction; null when it is nil or not finite.
  package static func decimal(_ number: Double?) -> JSON { number.jsonValue }

  package static func flag(_ flag: Bool?) -> JSON { flag.jsonValue }

  package static func texts(_ texts: [String]) -> JSON { texts.jsonValue }

  /// The value for people: counts with commas, arrays as a list; nil for null, an empty array and
  /// an object.
  var reading: StyledText? {
    switch content {
    case .null, .object: nil
    case .bool(let flag): flag ? "yes" : "no"
    case .number(let number): StyledText(number.int.map(grouped) ?? number.text)
    case .string(let text): StyledText(text)
    case .array(let elements):
      elements.isEmpty
        ? nil : StyledText(elements.compactMap { $0.reading?.plain }.joined(separator: ", "))
    }
  }
}
