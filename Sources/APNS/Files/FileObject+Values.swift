package import JSONText
import PlainText

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

  /// Takes a member that is an array of objects; empty if absent.
  package func objects(_ key: String) -> [FileObject] {
    guard let value = take(key) else { return [] }
    guard let entries = value.array else {
      report(
        key, value, "'\(key)' is \(value.kind), not an array.",
        fix: "Write objects in brackets.")
      return []
    }
    return entries.enumerated().map { index, entry in
      FileObject(entry, at: "\(place(key))[\(index)]", problems)
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

  /// Reads a value as a whole number; anything else is a problem.
  package func integer(_ value: JSON, _ key: String, in range: ClosedRange<Int>) -> Int? {
    if let number = value.number?.int, range.contains(number) { return number }
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
