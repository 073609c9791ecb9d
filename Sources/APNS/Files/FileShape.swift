/// What is allowed at a place of a file that a person writes. Reader, JSON Schema and documentation
/// are made from the same shape.
package indirect enum FileShape: Sendable {
  /// Any text.
  case text
  /// The path of a file with a secret in it. The secret itself is refused, and not shown.
  case secretPath
  /// One of these words. `instead` says what to write in place of another text, where it can tell.
  case word([String], instead: (@Sendable (String) -> String?)? = nil)
  /// Text, most often one of these words.
  case openWord([String])
  /// A number.
  case number
  /// A whole number.
  case integer(ClosedRange<Int>)
  /// A number from 0 to 1.
  case ratio
  /// `true` or `false`.
  case truth
  /// A length of time, such as `200ms` or `2s`, at most a day.
  case timeSpan
  /// An object with these keys and no others.
  case object(ObjectShape)
  /// An object whose keys are the author's own.
  case map(FileShape)
  /// An array.
  case array(FileShape)
  /// An array of texts, of which there is at least one.
  case words
  /// One of several. They are told apart by their kinds, objects by their keys.
  case either([FileShape])
  /// Any value.
  case anything
}

/// An object of a file that a person writes.
package struct ObjectShape: Sendable {
  /// The keys that it may have, in the order in which they are told of.
  package var keys: [FileKey]
  /// Groups of keys, of each of which only one may be there.
  package var exclusive: [[String]] = []

  /// An object with these keys.
  package init(_ keys: [FileKey], exclusive: [[String]] = []) {
    self.keys = keys
    self.exclusive = exclusive
  }

  /// The key with a name; nil when it has none.
  package subscript(name: String) -> FileKey? { keys.first { $0.name == name } }
}

/// A key of an object of a file that a person writes.
package struct FileKey: Sendable {
  /// The key itself.
  package var name: String
  /// What may follow it.
  package var shape: FileShape
  /// Whether it has to be there.
  package var isRequired: Bool
  /// What it is for, in a sentence or less.
  package var help: String
  /// Why it may not be there, and what to do instead; nil for a key that may be there.
  package var refusal: Refusal?

  /// Two sentences on a key that is known, and belongs elsewhere.
  package struct Refusal: Sendable {
    package var message: String
    package var fix: String

    /// What is wrong, and what to do.
    package init(_ message: String, fix: String) {
      self.message = message
      self.fix = fix
    }
  }

  /// A key that may be there, or has to be.
  package init(_ name: String, _ shape: FileShape, isRequired: Bool = false, help: String) {
    self.name = name
    self.shape = shape
    self.isRequired = isRequired
    self.help = help
  }

  /// What tells an editor which schema a file follows.
  package static let schema = FileKey(
    "$schema", .text, help: "The JSON Schema of this file, for editors.")
}

extension FileKey {
  /// The same key where it may not be: no schema has it.
  package func refused(_ message: String, fix: String) -> FileKey {
    var key = self
    key.refusal = Refusal(message, fix: fix)
    return key
  }
}

extension FileShape {
  /// Whether it is an object that cannot be without a key that may not be there.
  var isRefused: Bool {
    guard case .object(let shape) = self else { return false }
    return shape.keys.contains { $0.isRequired && $0.refusal != nil }
  }

  /// Its kinds, in the words of ``JSON/kind``; none for a value of any kind.
  var kinds: [String] {
    switch self {
    case .text, .secretPath, .word, .openWord, .timeSpan: ["text"]
    case .integer, .number, .ratio: ["a number"]
    case .truth: ["true or false"]
    case .object, .map: ["an object"]
    case .array, .words: ["an array"]
    case .either(let shapes): shapes.flatMap(\.kinds).distinct
    case .anything: []
    }
  }
}

extension [String] {
  /// The first of each.
  fileprivate var distinct: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// `a, b or c`
  package var alternatives: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
