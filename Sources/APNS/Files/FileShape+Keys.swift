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
    case .secretPath: "a file path"
    case .word(let words, _): words.map { "\"\($0)\"" }.alternatives
    case .openWord(let words): "text, such as " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .number: "a number"
    case .integer(let range) where range.upperBound == .max:
      "a whole number of at least \(range.lowerBound)"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .ratio: "a number from 0 to 1"
    case .truth: "true or false"
    case .timeSpan: "a duration, such as \"200ms\" or \"2s\""
    case .object, .map: "an object"
    case .array: "an array"
    case .words: "an array of text"
    case .either(let shapes): shapes.filter { !$0.isRefused }.map(\.inWords).alternatives
    case .anything: "any value"
    }
  }
}
