package import APNS
package import JSONText

/// The result of a use case. Each fact is described once: its text for people and its JSON value.
///
/// ``ReportText`` prints it for people, ``ReportJSON`` for programs; both keep its order.
package struct Report: Sendable {
  /// The form of the report in JSON.
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

  /// The readers of a report on standard output.
  package enum Audience: Sendable, Hashable {
    case people
    /// Programs get JSON, all of it or the chosen fields.
    case programs(JSONFields)
  }

  package var parts: [Part]
  package var form = Form.line
  package var exitCode = ExitCode.success
  package var audience = Audience.people
  /// Errors and notices before it, on standard error.
  package var before: [Part] = []
  /// Errors and notices after it, on standard error.
  package var after: [Part] = []
  /// Notices for the case that standard output does not take the report.
  package var ifLost: [Part] = []

  package init(parts: [Part] = [], form: Form = .line, exitCode: ExitCode = .success) {
    (self.parts, self.form, self.exitCode) = (parts, form, exitCode)
  }

  /// A report of a command that has already printed its data.
  package init(_ exitCode: ExitCode) { self.init(exitCode: exitCode) }

  /// The same report for programs.
  ///
  /// - Parameter fields: the fields to print; nil leaves it to people.
  package func asJSON(_ fields: JSONFields?) -> Report {
    var report = self
    if let fields { report.audience = .programs(fields) }
    return report
  }

  package func asJSON(_ isJSON: Bool) -> Report { asJSON(isJSON ? .all : nil) }

  /// The same report with another exit code, if that is more important.
  package func merging(_ code: ExitCode?) -> Report {
    var report = self
    report.exitCode = .merged([exitCode, code].compactMap(\.self))
    return report
  }

  /// The same report with notices before it.
  package func preceded(by parts: [Part]) -> Report {
    var report = self
    report.before += parts
    return report
  }

  /// The same report with notices after it.
  package func followed(by parts: [Part]) -> Report {
    var report = self
    report.after += parts
    return report
  }

  /// A part that is nested, a fact, or something that only people or only programs see.
  package indirect enum Part: Sendable {
    case fact(Fact)
    /// A paragraph, for people only. It is wrapped at the terminal's width.
    case paragraph(StyledText)
    /// Lines that are printed as they are, for people only.
    case lines([StyledText])
    /// The text of a file that comes with the program, for people only.
    case source(String)
    /// Broken rules, in the order of their files; in JSON an array of objects.
    case problems(key: String, [Problem])
    /// Parts that belong together. With a key they form an object in JSON; without one they are
    /// members of the enclosing object. Under a heading people see them indented.
    case section(heading: StyledText?, key: String?, [Part])
    case list(List)
  }

  package struct Fact: Sendable {
    /// The label for people: nil for JSON only, empty for a continuation of the fact above.
    package var name: StyledText?
    /// The text for people; nil when there is nothing to show.
    package var shown: StyledText?
    /// The key in JSON; nil for people only.
    package var key: String?
    package var value = JSON(.null)
    /// The state of a step in a checklist.
    package var mark: Mark?
    /// The fact is the fix for the fact above.
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

  /// Several elements of a kind. Without a key it is the report's array in JSON.
  package struct List: Sendable {
    var key: String?
    var elements: [[Part]]
    /// People see a table, with a row per element and a column per named fact.
    var isTable = false
    /// The keys of the elements in JSON, where an object replaces the array.
    var names: [String]?
  }
}

// Ways to make parts.
extension Report.Part {
  /// A fact shown to people as in JSON: counts with commas, arrays as a list.
  package static func fact(_ name: StyledText, _ key: String, _ value: JSON) -> Self {
    .fact(.init(name: name, shown: value.reading, key: key, value: value))
  }

  /// A fact for people only.
  package static func text(_ name: StyledText, _ shown: StyledText?) -> Self {
    .fact(.init(name: name, shown: shown))
  }

  /// A fact for JSON only.
  package static func json(_ key: String, _ value: JSON) -> Self {
    .fact(.init(key: key, value: value))
  }

  /// The fix for the fact above; in JSON, its `fix`.
  package static func fix(_ text: String?) -> Self {
    .fact(
      .init(name: "", shown: text.map { "\($0)" }, key: "fix", value: .text(text), isFix: true))
  }

  /// The command that continues from here, for people only.
  package static func next(_ command: String?) -> Self {
    .text("go on with", command.map { .verbatim($0) })
  }

  /// Parts under a heading, as members of the enclosing object.
  package static func section(_ heading: StyledText, _ parts: [Self]) -> Self {
    .section(heading: heading, key: nil, parts)
  }

  /// Parts that form an object in JSON.
  package static func object(_ key: String, _ parts: [Self]) -> Self {
    .section(heading: nil, key: key, parts)
  }

  /// Several elements of a kind, one after the other.
  package static func list(_ key: String? = nil, _ elements: [[Self]]) -> Self {
    .list(.init(key: key, elements: elements))
  }

  package static func table(_ key: String? = nil, _ rows: [[Self]], names: [String]? = nil) -> Self
  {
    .list(.init(key: key, elements: rows, isTable: true, names: names))
  }
}

/// The exit codes of the process. Only `Main` exits with one.
package enum ExitCode: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case connection = 3
  case unfinished = 4
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  package var meaning: String {
    switch self {
    case .success:
      """
      Everything was accepted. Duplicates do not count as failures. After 'work': nothing is left.
      """
    case .failure:
      """
      A push was rejected, a row has no valid device token, results could not be written, or \
      'history diff' found a difference.
      """
    case .usage:
      "The command line or a file is wrong, or the notification breaks a rule. Nothing was sent."
    case .connection:
      """
      The key or certificate, DNS, TCP, a proxy, TLS, ALPN, or a 403 stopped the run, and nothing \
      was accepted.
      """
    case .unfinished: "Pushes are deferred, unknown, or were not attempted."
    case .hungUp: "Ended by SIGHUP: the terminal of 'fanfare emulator' was closed."
    case .interrupted: "Interrupted by SIGINT (Ctrl-C), after waiting for pushes in flight."
    case .terminated: "Ended by SIGTERM, after waiting for pushes in flight."
    }
  }

  /// The most important of several codes.
  package static func merged(_ codes: [ExitCode]) -> ExitCode {
    let order: [ExitCode] = [
      .interrupted, .terminated, .hungUp, .usage, .connection, .unfinished, .failure,
    ]
    return order.first { codes.contains($0) } ?? .success
  }
}
