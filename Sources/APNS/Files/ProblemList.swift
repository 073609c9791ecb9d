package import JSONText

/// The problems of one user's file, collected while it is read. Those above a limit are counted.
package final class ProblemList {
  /// The file's name as the user gave it.
  package let file: String
  /// The most problems that are kept.
  package static let limit = 100
  private var kept: [Problem] = []
  /// The number of further problems, and of entries that were not read because of them.
  private var others = 0
  private var memory = 64 << 20
  private let kind: String

  /// The problems so far; the last one tells how many are left out.
  package var list: [Problem] {
    others == 0
      ? kept
      : kept + [problem("value", "", nil, "And \(others) more.", fix: "Correct these first.")]
  }

  /// There are so many problems that reading on is of no use.
  package var isFull: Bool { kept.count >= Self.limit }

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - file: the file's name as the user gave it.
  ///   - kind: the kind of file, a word that prefixes the names of its rules.
  package init(file: String, kind: String) {
    self.file = file
    self.kind = kind
  }

  /// Reads the whole file: a value in JSON5 of the given shape. Deviations are added to the
  /// problems.
  ///
  /// - Throws: `BrokenRules` if the text is not JSON5.
  package func read(_ text: [UInt8], as shape: FileShape) throws(BrokenRules) -> JSON {
    let json = try json(text)
    shape.check(json, at: "", self)
    return json
  }

  /// Reads the whole file: any value in JSON5.
  ///
  /// - Throws: `BrokenRules` if the text is not JSON5.
  package func json(_ text: [UInt8]) throws(BrokenRules) -> JSON {
    do throws(JSONSyntaxError) {
      return try JSONReader(.json5).read(text)
    } catch {
      add(
        "syntax", "", error.position, error.message, fix: "Correct the text at this position.")
      throw BrokenRules(list)
    }
  }

  /// Adds a problem at a place; an empty place is the whole file.
  package func add(
    _ rule: String, _ place: @autoclosure () -> String, _ position: JSONPosition?,
    _ message: @autoclosure () -> String, fix: @autoclosure () -> String
  ) {
    if isFull { return skip(1) }
    kept.append(problem(rule, place(), position, message(), fix: fix()))
  }

  /// Reserves memory for values that are larger than their texts; false if those of the file take
  /// more than 64 MiB.
  package func reserve(_ bytes: Int) -> Bool {
    memory -= min(memory + 1, bytes)
    return memory >= 0
  }

  /// Counts entries that are not read.
  func skip(_ count: Int) { others += count }

  private func problem(
    _ rule: String, _ place: String, _ position: JSONPosition?, _ message: String, fix: String
  ) -> Problem {
    Problem(
      .error, rule: "\(kind)-\(rule)", at: .other(place.isEmpty ? kind : place),
      from: .file(file, at: position), message: message, fix: fix, isForceable: false)
  }

  /// Returns the value read from the file.
  ///
  /// - Throws: `BrokenRules` if there were problems.
  package func passing<Value>(_ value: Value) throws(BrokenRules) -> Value {
    guard kept.isEmpty else { throw BrokenRules(list) }
    return value
  }
}
