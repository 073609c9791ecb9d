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
  package func report(_ key: String, _ value: JSON, _ message: String, fix: String) {
    problems.add("value", place(key), value.position, message, fix: fix)
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
      let near = Suggestion.near(member.key, among: known).first
      problems.add(
        "key", place(member.key), member.keyPosition,
        "'\(member.key.printable)' is not a known key here.",
        fix: near.map { "Did you mean '\($0)'?" }
          ?? "Remove it, or use one of: \(known.joined(separator: ", ")).")
    }
  }

  func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
