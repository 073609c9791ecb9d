package import JSONText
import PlainText

/// An object of a user's file. Its members are taken one by one; any left over are mistakes.
package final class FileObject {
  /// The list that collects the file's problems.
  package let problems: ProblemList
  private let path: String
  private let isObject: Bool
  private let position: JSONPosition?
  private var members: [JSONMember]
  private var known: [String] = []

  /// Reads a value as an object; anything else is a problem.
  ///
  /// - Parameter path: its path in the file, such as `credentials.key`; empty for the whole file.
  package init(_ json: JSON, at path: String, _ problems: ProblemList) {
    self.path = path
    self.problems = problems
    position = json.position
    isObject = json.object != nil
    members = json.object?.members ?? []
    if !isObject {
      problems.add(
        "kind", path, json.position, "This is \(json.kind), not an object.",
        fix: "Write an object in braces.")
    }
  }

  /// Takes the value of a key, which counts as known from then on; nil if absent.
  package func take(_ key: String) -> JSON? {
    known.append(key)
    guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
    return members.remove(at: index).value
  }

  /// Takes all members, for an object with arbitrary keys.
  package func takeAll() -> [JSONMember] {
    defer { members = [] }
    return members
  }

  /// Takes the value of a key; if it is required, its absence is a problem.
  package func value(_ key: String, isRequired: Bool = false) -> JSON? {
    let value = take(key)
    if value == nil, isRequired, isObject {
      problems.add(
        "missing", place(key), position, "'\(key)' is missing.", fix: "Add '\(key)'.")
    }
    return value
  }

  /// Adds a problem with the value of a key.
  package func report(
    _ key: String, _ value: JSON, _ message: @autoclosure () -> String,
    fix: @autoclosure () -> String
  ) {
    problems.add("value", place(key), value.position, message(), fix: fix())
  }

  /// Adds a problem with the object as a whole, unless it is not an object (already reported).
  package func report(_ message: String, fix: String) {
    if isObject { problems.add("value", path, position, message, fix: fix) }
  }

  /// Returns true if a key is present and not yet taken.
  package func has(_ key: String) -> Bool { members.contains { $0.key == key } }

  /// Reports all members that were not taken.
  package func refuseOtherKeys() {
    for member in members {
      problems.add(
        "key", place(member.key), member.keyPosition,
        "'\(member.key.printable)' is not a known key here.",
        fix: Suggestion.near(member.key, among: known).first.map { "Did you mean '\($0)'?" }
          ?? "Remove it, or use one of: \(known.joined(separator: ", ")).")
    }
  }

  func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

// Members of common types.
extension FileObject {
  /// Takes a member that is an object.
  package func object(_ key: String, isRequired: Bool = false) -> FileObject? {
    value(key, isRequired: isRequired).map { object($0, key) }
  }

  /// Reads the value of a key as an object.
  package func object(_ value: JSON, _ key: String) -> FileObject {
    FileObject(value, at: place(key), problems)
  }

  /// Takes a member that is an array of objects; empty if absent. Once there are too many problems,
  /// the entries that are left are only counted.
  package func objects(_ key: String) -> AnyIterator<FileObject> {
    let value = take(key)
    if let value, value.array == nil {
      report(
        key, value, "'\(key)' is \(value.kind), not an array.",
        fix: "Write objects in brackets.")
    }
    var entries = (value?.array ?? []).enumerated().makeIterator()
    let place = place(key)
    return AnyIterator { [problems] in
      while let (index, entry) = entries.next() {
        if !problems.isFull { return FileObject(entry, at: "\(place)[\(index)]", problems) }
        problems.skip(1)
      }
      return nil
    }
  }

  /// Takes a member that is text.
  package func text(_ key: String, isRequired: Bool = false) -> String? {
    value(key, isRequired: isRequired).flatMap { text($0, key) }
  }

  /// Reads a value as text; anything else is a problem.
  package func text(_ value: JSON, _ key: String) -> String? {
    if value.string == nil {
      report(
        key, value, "'\(key.printable)' is \(value.kind), not text.", fix: "Put it in quotes.")
    }
    return value.string
  }

  /// Takes a member that is a whole number.
  package func integer(
    _ key: String, in range: ClosedRange<Int>, isRequired: Bool = false
  ) -> Int? {
    value(key, isRequired: isRequired).flatMap { integer($0, key, in: range) }
  }

  /// Reads a value as a whole number, which may have decimals of zero; anything else is a problem.
  package func integer(_ value: JSON, _ key: String, in range: ClosedRange<Int>) -> Int? {
    let number = value.number.flatMap { $0.int ?? Int(exactly: $0.double) }
    if let number, range.contains(number) { return number }
    let limit =
      range.upperBound == .max
      ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    report(
      key, value, "'\(key.printable)' is not a whole number \(limit).", fix: "Correct the number.")
    return nil
  }

  /// Takes a member that is `true` or `false`.
  package func truth(_ key: String) -> Bool? {
    guard let value = take(key) else { return nil }
    if value.bool == nil {
      report(
        key, value, "'\(key)' is \(value.kind), not true or false.", fix: "Write true or false.")
    }
    return value.bool
  }

  /// Returns the choice for one of several words; any other value is a problem.
  package func choice<Choice>(
    _ value: JSON, _ key: String, among choices: [(word: String, Choice)], else other: String? = nil
  ) -> Choice? {
    if let found = choices.first(where: { $0.word == value.string }) { return found.1 }
    let words = choices.map(\.word)
    let near = value.string.flatMap { Suggestion.near($0, among: words).first }
    let all = words.joined(separator: ", ") + (other.map { ", or \($0)" } ?? "")
    report(
      key, value, "Invalid value of '\(key)'.",
      fix: near.map { "Did you mean '\($0)'?" } ?? "Write one of: \(all).")
    return nil
  }
}
