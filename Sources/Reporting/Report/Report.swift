package import APNS
package import JSONText

/// What a use case came to. Each fact is described once: what people read of it, and what JSON holds.
///
/// ``ReportText`` prints it for people, ``ReportJSON`` for programs; both keep the order of the parts.
package struct Report: Sendable {
  /// The JSON text that it becomes.
  package enum Form: Sendable {
    /// An object on one line.
    case line
    /// An object on several lines.
    case object
    /// An array on several lines: the elements of lists without a key.
    case array
    /// JSON Lines: one element of a list without a key per line.
    case lines
  }

  package var parts: [Part]
  package var form = Form.line
  package var exitCode = ExitCode.success

  package init(parts: [Part], form: Form = .line, exitCode: ExitCode = .success) {
    (self.parts, self.form, self.exitCode) = (parts, form, exitCode)
  }

  /// Either nested, or a fact, or something that only people or only programs see.
  package indirect enum Part: Sendable {
    case fact(Fact)
    /// A paragraph, for people only. It is wrapped at the terminal's width.
    case paragraph(StyledText)
    /// Lines that are printed as they are, for people only.
    case lines([StyledText])
    /// Broken rules, in the order of their files; in JSON an array of objects.
    case problems(key: String, [Problem])
    /// Parts that belong together. With a key they are an object in JSON, without one members of the
    /// object around them; people see them indented if they have a heading.
    case section(heading: StyledText?, key: String?, [Part])
    case list(List)
  }

  package struct Fact: Sendable {
    /// What people call it: nil for JSON only, empty for what belongs to the fact above.
    package var name: StyledText?
    /// What people read; nil when there is nothing to tell.
    package var shown: StyledText?
    /// The key in JSON; nil for people only.
    package var key: String?
    package var value = JSON(.null)
    /// What became of a step of a checklist.
    package var mark: Mark?
    /// Whether it says what to do about the fact above.
    var isFix = false

    package init(
      name: StyledText? = nil, shown: StyledText? = nil, key: String? = nil,
      value: JSON = JSON(.null), mark: Mark? = nil, isFix: Bool = false
    ) {
      self.name = name
      self.shown = shown
      self.key = key
      self.value = value
      self.mark = mark
      self.isFix = isFix
    }
  }

  package enum Mark: String, CaseIterable, Sendable {
    case ok
    case warning
    case broken
    case skipped
    case notReached = "not reached"
  }

  /// Several things of a kind. Without a key it is the report's array in JSON.
  package struct List: Sendable {
    var key: String?
    var elements: [[Part]]
    /// Whether people see a row for each element, and a column for each fact with a name.
    var isTable = false
    /// In JSON, the key of each element: an object takes the place of the array.
    var names: [String]?
  }
}

// How parts are made.
extension Report.Part {
  /// A fact that people read as it is in JSON: counts with commas, arrays as a list.
  package static func fact(_ name: StyledText, _ key: String, _ value: JSON) -> Self {
    .fact(.init(name: name, shown: value.reading, key: key, value: value))
  }

  /// A fact that people read in other words; nil when they need not know.
  package static func fact(
    _ name: StyledText, _ key: String, _ value: JSON, shown: StyledText?
  ) -> Self {
    .fact(.init(name: name, shown: shown, key: key, value: value))
  }

  /// A fact for people only.
  package static func text(_ name: StyledText, _ shown: StyledText?) -> Self {
    .fact(.init(name: name, shown: shown))
  }

  /// A fact for JSON only.
  package static func json(_ key: String, _ value: JSON) -> Self {
    .fact(.init(key: key, value: value))
  }

  /// What to do about the fact above; in JSON, its `fix`.
  package static func fix(_ text: String?) -> Self {
    .fact(
      .init(name: "", shown: text.map { "\($0)" }, key: "fix", value: .text(text), isFix: true))
  }

  /// The command that goes on from here, for people only.
  package static func next(_ command: String?) -> Self {
    .text("go on with", command.map { .verbatim($0) })
  }

  /// Parts under a heading, members of the object around them.
  package static func section(_ heading: StyledText, _ parts: [Self]) -> Self {
    .section(heading: heading, key: nil, parts)
  }

  /// Parts that are an object in JSON.
  package static func object(_ key: String, _ parts: [Self]) -> Self {
    .section(heading: nil, key: key, parts)
  }

  /// Several of a kind, one after the other.
  package static func list(_ key: String? = nil, _ elements: [[Self]]) -> Self {
    .list(.init(key: key, elements: elements))
  }

  package static func table(_ key: String? = nil, _ rows: [[Self]], names: [String]? = nil) -> Self
  {
    .list(.init(key: key, elements: rows, isTable: true, names: names))
  }
}
