package import JSONText

/// A value in a user's file whose shape has been checked, with its place. What is missing, or of
/// another kind, reads as nil.
package struct FileValue {
  package let json: JSON?
  /// The list that collects the file's problems.
  package let problems: ProblemList
  private let path: String

  fileprivate init(_ json: JSON?, at path: String, _ problems: ProblemList) {
    (self.json, self.path, self.problems) = (json, path, problems)
  }

  package subscript(key: String) -> FileValue {
    FileValue(json?[key], at: memberPath(key, in: path), problems)
  }

  /// Adds a problem with the value.
  package func report(_ message: String, fix: String) {
    problems.add("value", path, json?.position, message, fix: fix)
  }
}

extension FileValue {
  /// The value, if it is an object.
  package var object: FileValue? { json?.object == nil ? nil : self }
  package var text: String? { json?.string }
  package var int: Int? { json?.number?.whole }
  package var number: Double? { json?.number?.double }
  package var truth: Bool? { json?.bool }
  package var milliseconds: Int? { text.flatMap { TimeSpan.milliseconds($0) } }

  /// The elements of an array; a value that is none is the only one.
  package var elements: [FileValue] {
    guard let array = json?.array else { return json == nil ? [] : [self] }
    return array.enumerated().map { FileValue($1, at: "\(path)[\($0)]", problems) }
  }

  /// The values of an object by their keys.
  package var members: [(key: String, value: FileValue)] {
    (json?.object?.members ?? []).map { ($0.key, self[$0.key]) }
  }
}

extension ProblemList {
  /// Reads the whole file: a value in JSON5 of the given shape.
  ///
  /// - Parameter body: makes something of a value that has the shape, and may report more problems.
  /// - Throws: `BrokenRules` with all problems.
  package func read<Value>(
    _ text: [UInt8], as shape: FileShape, _ body: (FileValue) -> Value
  ) throws(BrokenRules) -> Value {
    let json = try passing(try read(text, as: shape))
    return try passing(body(FileValue(json, at: "", self)))
  }
}
