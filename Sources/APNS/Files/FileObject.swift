package import JSONText
import PlainText

/// An object of a file that a person wrote. Its members are taken one by one; what is left over is
/// a mistake.
package final class FileObject {
  /// Where the problems of its file are gathered.
  package let problems: ProblemList
  private let path: String
  private let isObject: Bool
  private let position: JSONPosition?
  private var members: [JSONMember]
  private var known: [String] = []

  /// A value that is to be an object; anything else is a problem.
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

  /// The value of a key, which counts as known from now on; nil when it is absent.
  package func take(_ key: String) -> JSON? {
    known.append(key)
    guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
    return members.remove(at: index).value
  }

  /// Every member, for an object whose keys are the author's own.
  package func takeAll() -> [JSONMember] {
    defer { members = [] }
    return members
  }

  /// The value of a key; its absence is a problem if it is required.
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

  /// Adds a problem with the object as a whole; none if it is not an object, which was reported.
  package func report(_ message: String, fix: String) {
    if isObject { problems.add("value", path, position, message, fix: fix) }
  }

  /// Whether a key is there that was not taken.
  package func has(_ key: String) -> Bool { members.contains { $0.key == key } }

  /// Reports every member that was not taken.
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
