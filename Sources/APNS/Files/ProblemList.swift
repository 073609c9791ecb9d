package import JSONText

/// The problems of one file that a person wrote, gathered while it is read.
package final class ProblemList {
  /// The file, as the user named it.
  package let file: String
  /// The problems so far.
  package private(set) var list: [Problem] = []
  private let kind: String

  /// No problems yet.
  ///
  /// - Parameters:
  ///   - file: the file, as the user named it.
  ///   - kind: what the file is, in a word with which the names of its rules begin.
  package init(file: String, kind: String) {
    self.file = file
    self.kind = kind
  }

  /// Reads the whole file: an object in JSON5.
  ///
  /// - Throws: `BrokenRules` when the text is not JSON5. That it is not an object is only added to
  ///   the problems.
  package func read(_ text: [UInt8]) throws(BrokenRules) -> FileObject {
    FileObject(try json(text), at: "", self)
  }

  /// Reads the whole file: a value in JSON5 that should have a shape. What does not fit is added to
  /// the problems.
  ///
  /// - Throws: `BrokenRules` when the text is not JSON5.
  package func read(_ text: [UInt8], as shape: FileShape) throws(BrokenRules) -> JSON {
    let json = try json(text)
    shape.check(json, at: "", self)
    return json
  }

  /// Reads the whole file: any value in JSON5.
  ///
  /// - Throws: `BrokenRules` when the text is not JSON5.
  package func json(_ text: [UInt8]) throws(BrokenRules) -> JSON {
    do throws(JSONSyntaxError) {
      return try JSONReader(.json5).read(text)
    } catch {
      add(
        "syntax", "", error.position, error.message, fix: "Correct the text at this position.")
      throw BrokenRules(list)
    }
  }

  /// Adds a problem at a place, which is the whole file when it is empty.
  package func add(
    _ rule: String, _ place: String, _ position: JSONPosition?, _ message: String, fix: String
  ) {
    list.append(
      Problem(
        .error, rule: "\(kind)-\(rule)", at: .other(place.isEmpty ? kind : place),
        from: .file(file, at: position), message: message, fix: fix, isForceable: false))
  }

  /// What was read from the file.
  ///
  /// - Throws: `BrokenRules` when there were problems.
  package func passing<Value>(_ value: Value) throws(BrokenRules) -> Value {
    guard list.isEmpty else { throw BrokenRules(list) }
    return value
  }
}
