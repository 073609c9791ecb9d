internal import APNS
internal import JSONText
internal import PlainText

/// What `inspect` tells of a file. Nothing in it is a secret.
protocol Inspected {
  /// For a person, with a line feed at the end; empty for what is told on standard error.
  func text(_ text: InspectText) -> String
  /// For a script: an object.
  func write(to json: inout JSONWriter)
}

extension PayloadFacts: Inspected {
  func text(_ text: InspectText) -> String { text.text(of: self) }

  func write(to json: inout JSONWriter) { InspectJSON.write(self, to: &json) }
}

/// A file that is told in rows of a name and a text.
protocol InspectedRows: Inspected {
  /// The file, as the user named it.
  var file: String { get }
  /// What is told of it. Nothing is printable yet, but what is a sentence of ours.
  func sections(_ style: Style) -> [InspectSection]
  /// The members of its object, after `file`.
  var members: [(String, JSON)] { get }
}

/// Rows with a title above them.
struct InspectSection {
  var title: String?
  var rows: [(String, String)]

  /// Rows; those without a text are left out.
  init(_ rows: [(String, String?)]) {
    self.rows = rows.compactMap { row in row.1.map { (row.0, $0) } }
  }

  /// The same under a title.
  init(_ title: String, _ rows: [(String, String?)]) {
    self.init(rows)
    self.title = title
  }
}

extension InspectedRows {
  func text(_ text: InspectText) -> String {
    let lines = sections(text.style).flatMap { section in
      section.title.map { text.section($0, section.rows) } ?? text.table(section.rows)
    }
    return ([text.style.bold(file.printable)] + lines).joined(separator: "\n") + "\n"
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("file", file)
    for (key, value) in members {
      json.key(key)
      json.value(value)
    }
    json.endObject()
  }
}

/// A file of which there is nothing to tell. Standard error says why.
struct UninspectedFile: Inspected {
  let file: String
  let failure: Failure

  func text(_ text: InspectText) -> String { "" }

  func write(to json: inout JSONWriter) {
    let problem = Problem.all(of: failure, in: file).first
    json.beginObject()
    json.member("file", file)
    json.member("kind", "unknown")
    json.member("problem", problem?.message)
    json.member("fix", problem?.fix)
    json.endObject()
  }
}

extension JSON {
  /// Text, or null.
  static func text(_ text: String?) -> JSON { text.map { JSON(.string($0)) } ?? nil }

  /// A whole number, or null.
  static func number(_ number: (some BinaryInteger)?) -> JSON {
    number.map { JSON(.number(JSONNumber($0))) } ?? nil
  }

  /// True, false, or null.
  static func flag(_ flag: Bool?) -> JSON { flag.map { JSON(.bool($0)) } ?? nil }

  /// An array of texts.
  static func texts(_ texts: [String]) -> JSON { JSON(.array(texts.map { text($0) })) }
}
