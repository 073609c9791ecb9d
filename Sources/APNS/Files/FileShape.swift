/// The values allowed at a place in a user's file. Reader, JSON Schema and documentation are
/// generated from the same shape.
package indirect enum FileShape: Sendable {
  /// Any text.
  case text
  /// Text of a form.
  case form(TextForm)
  /// One of these words. `instead` returns advice for any other text, if it has some.
  case word([String], instead: (@Sendable (String) -> String?)? = nil)
  /// Text, usually one of these words.
  case openWord([String])
  /// A number.
  case number
  /// A whole number.
  case integer(ClosedRange<Int>)
  /// A number from 0 to 1.
  case ratio
  /// `true` or `false`.
  case truth
  /// `true`; the key is left out for `false`.
  case yes
  /// An object with these keys and no others.
  case object(ObjectShape)
  /// An object with arbitrary keys.
  case map(FileShape)
  /// An array.
  case array(FileShape)
  /// An array of at least one text.
  case words
  /// One of several shapes, distinguished by kind, or for objects by key.
  case either([FileShape])
  /// Any value.
  case anything
}

/// The shape of an object in a user's file.
package struct ObjectShape: Sendable {
  /// The allowed keys, in the order to list them.
  package var keys: [FileKey]
  /// Groups of mutually exclusive keys.
  package var exclusive: [[String]] = []

  /// Creates a shape with these keys.
  package init(_ keys: [FileKey], exclusive: [[String]] = []) {
    self.keys = keys
    self.exclusive = exclusive
  }

  /// The key with a name; nil if there is none.
  package subscript(name: String) -> FileKey? { keys.first { $0.name == name } }
}

/// A key of an object in a user's file.
package struct FileKey: Sendable {
  /// The name of the key.
  package var name: String
  /// The shape of its value.
  package var shape: FileShape
  /// True if the key is required.
  package var isRequired: Bool
  /// The purpose, in a sentence or less.
  package var help: String
  /// The reason the key is not allowed, with a fix; nil for an allowed key.
  package var refusal: Refusal?

  /// Two sentences about a known key that belongs elsewhere.
  package struct Refusal: Sendable {
    package var message: String
    package var fix: String

    /// Creates a refusal from the problem and its fix.
    package init(_ message: String, fix: String) {
      self.message = message
      self.fix = fix
    }
  }

  /// Creates an optional or required key.
  package init(_ name: String, _ shape: FileShape, isRequired: Bool = false, help: String) {
    self.name = name
    self.shape = shape
    self.isRequired = isRequired
    self.help = help
  }

  /// The key that tells editors the schema of a file.
  package static let schema = FileKey(
    "$schema", .text, help: "The JSON Schema of this file, for editors.")
}

extension FileKey {
  /// Returns the same key marked as not allowed, which excludes it from schemas.
  package func refused(_ message: String, fix: String) -> FileKey {
    var key = self
    key.refusal = Refusal(message, fix: fix)
    return key
  }
}

extension FileShape {
  /// An object with these keys and no others.
  package static func object(_ keys: FileKey...) -> FileShape { .object(ObjectShape(keys)) }

  /// True for an object that requires a key that is not allowed.
  var isRefused: Bool {
    guard case .object(let shape) = self else { return false }
    return shape.keys.contains { $0.isRequired && $0.refusal != nil }
  }

  /// The accepted kinds, in the words of ``JSON/kind``; empty for a value of any kind.
  var kinds: [String] {
    switch self {
    case .text, .form, .word, .openWord: ["text"]
    case .integer, .number, .ratio: ["a number"]
    case .truth, .yes: ["true or false"]
    case .object, .map: ["an object"]
    case .array, .words: ["an array"]
    case .either(let shapes): shapes.flatMap(\.kinds).distinct
    case .anything: []
    }
  }
}

extension [String] {
  /// The strings without duplicates, in order.
  fileprivate var distinct: [String] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// A list in words: `a, b or c`.
  package var alternatives: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}

extension FileShape {
  /// A key and its place in a file.
  package struct Place: Sendable {
    /// The path, such as `credentials.key` or `steps[].wait`.
    package let path: String
    /// The key.
    package let key: FileKey
  }

  /// All keys that a file of this shape may have, in the order of the shape. A key shared by
  /// several alternative objects appears once.
  package var places: [Place] {
    var seen: Set<String> = []
    return places(below: "").filter { seen.insert($0.path).inserted }
  }

  private func places(below path: String) -> [Place] {
    switch self {
    case .object(let shape):
      shape.keys.filter { $0.refusal == nil }.flatMap { key in
        let own = path.isEmpty ? key.name : "\(path).\(key.name)"
        return [Place(path: own, key: key)] + key.shape.places(below: own)
      }
    case .array(let element): element.places(below: path + "[]")
    case .either(let shapes): shapes.filter { !$0.isRefused }.flatMap { $0.places(below: path) }
    default: []
    }
  }

  /// The allowed values, in words.
  package var inWords: String {
    switch self {
    case .text: "text"
    case .form(let form): form.words
    case .word(let words, _): words.map { "\"\($0)\"" }.alternatives
    case .openWord(let words): "text, such as " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .number: "a number"
    case .integer(let range) where range.upperBound == .max:
      "a whole number of at least \(range.lowerBound)"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .ratio: "a number from 0 to 1"
    case .truth: "true or false"
    case .yes: "true"
    case .object, .map: "an object"
    case .array: "an array"
    case .words: "an array of text"
    case .either(let shapes): shapes.filter { !$0.isRefused }.map(\.inWords).alternatives
    case .anything: "any value"
    }
  }
}
