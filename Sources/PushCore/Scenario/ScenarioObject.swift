internal import APNS
internal import JSONText
internal import PlainText

/// The problems of one file, gathered while it is read.
final class ProblemList {
  private(set) var list: [Problem] = []

  func add(
    _ rule: String, _ place: String, _ file: String, _ position: JSONPosition?, _ message: String,
    fix: String
  ) {
    list.append(
      Problem(
        .error, rule: rule, at: .other(place), from: .file(file, at: position), message: message,
        fix: fix, isForceable: false))
  }
}

/// An object of a scenario whose members are taken one by one; what is left over is a mistake.
final class ScenarioObject {
  private let path: String
  private let file: String
  private let position: JSONPosition?
  private let problems: ProblemList
  private var members: [JSONMember]
  private var known: [String] = []

  init(_ json: JSON, at path: String, in file: String, _ problems: ProblemList) {
    self.path = path
    self.file = file
    self.problems = problems
    position = json.position
    members = json.object?.members ?? []
    if json.object == nil {
      problems.add(
        "scenario-kind", path.isEmpty ? "scenario" : path, file, json.position,
        "This is \(json.kind), not an object.", fix: "Write an object in braces.")
    }
  }

  /// The value of a key, which counts as known from now on; nil when it is absent.
  func take(_ key: String) -> JSON? {
    known.append(key)
    guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
    return members.remove(at: index).value
  }

  /// Every member, for an object whose keys are the author's own.
  func takeAll() -> [JSONMember] {
    defer { members = [] }
    return members
  }

  /// The value of a key; its absence is a problem if it is required.
  func value(_ key: String, isRequired: Bool = false) -> JSON? {
    let value = take(key)
    if value == nil, isRequired {
      problems.add(
        "scenario-missing", place(key), file, position, "'\(key)' is missing.",
        fix: "Add '\(key)'.")
    }
    return value
  }

  /// A member that is an object.
  func object(_ key: String, isRequired: Bool = false) -> ScenarioObject? {
    value(key, isRequired: isRequired).map {
      ScenarioObject($0, at: place(key), in: file, problems)
    }
  }

  /// A member that is text.
  func text(_ key: String, isRequired: Bool = false) -> String? {
    value(key, isRequired: isRequired).flatMap { text($0, key) }
  }

  /// A value that is to be text; anything else is a problem.
  func text(_ value: JSON, _ key: String) -> String? {
    if value.string == nil {
      report(
        key, value, "'\(key.printable)' is \(value.kind), not text.", fix: "Put it in quotes.")
    }
    return value.string
  }

  /// A member that is text or a number, as a header.
  func field(_ key: String, as name: HeaderName) -> DraftField? {
    take(key).flatMap { value in
      headerText(value, key).map { DraftField(name, $0, from: .file(file, at: value.position)) }
    }
  }

  /// Every member as a header of its own name.
  func allFields() -> [DraftField] {
    members.compactMap { member in
      headerText(member.value, member.key).map {
        DraftField(member.key, $0, from: .file(file, at: member.value.position))
      }
    }
  }

  private func headerText(_ value: JSON, _ key: String) -> String? {
    value.number?.text ?? text(value, key)
  }

  func report(_ key: String, _ value: JSON, _ message: String, fix: String) {
    problems.add("scenario-value", place(key), file, value.position, message, fix: fix)
  }

  /// Reports every member that nobody took.
  func refuseOtherKeys() {
    for member in members {
      let near = Suggestion.near(member.key, among: known).first
      problems.add(
        "scenario-key", place(member.key), file, member.keyPosition,
        "'\(member.key.printable)' is no key here.",
        fix: near.map { "Did you mean '\($0)'?" }
          ?? "Take it out, or use one of: \(known.joined(separator: ", ")).")
    }
  }

  private func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
