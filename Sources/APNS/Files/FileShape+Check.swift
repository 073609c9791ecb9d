package import JSONText
import PlainText

extension FileShape {
  /// Reports everything in the value that does not fit this shape.
  ///
  /// - Parameter path: the path of the value, such as `credentials.key`; empty for the whole file.
  package func check(_ value: JSON, at path: String, _ problems: ProblemList) {
    guard kinds.isEmpty || kinds.contains(value.kind) else {
      return reportKind(value, path, problems)
    }
    switch self {
    case .text, .openWord, .number, .truth, .anything: break
    case .word(let words, let instead):
      check(value, path, among: words, instead: instead, problems)
    case .integer(let range): check(value, path, in: range, problems)
    case .ratio: checkRatio(value, path, problems)
    case .form(let form): check(value, path, form, problems)
    case .yes: checkYes(value, path, problems)
    case .object(let shape): shape.check(value, at: path, beside: [], problems)
    case .map(let shape):
      for member in value.object?.members ?? [] {
        shape.check(member.value, at: memberPath(member.key, in: path), problems)
      }
    case .array(let shape):
      let elements = value.array ?? []
      for (index, element) in elements.enumerated() {
        if problems.isFull { return problems.skip(elements.count - index) }
        shape.check(element, at: "\(path)[\(index)]", problems)
      }
    case .words: checkWords(value, path, problems)
    case .either(let shapes): check(value, path, asOneOf: shapes, problems)
    }
  }

  private func check(
    _ value: JSON, _ path: String, asOneOf shapes: [FileShape], _ problems: ProblemList
  ) {
    let shape = fitting(value, among: shapes)
    guard case .object(let object) = shape else {
      shape?.check(value, at: path, problems)
      return
    }
    let siblings = shapes.compactMap { if case .object(let other) = $0 { other } else { nil } }
    if value.object?.members.isEmpty ?? false, siblings.count > 1 {
      let needed = siblings.flatMap { $0.keys.filter(\.isRequired) }.map { "'\($0.name)'" }
      return problems.add(
        "missing", path, value.position, "This object is empty.",
        fix: "Add \(needed.alternatives).")
    }
    object.check(value, at: path, beside: siblings.flatMap(\.keys).map(\.name), problems)
  }

  /// The shape that was probably meant, among those for values of this kind.
  private func fitting(_ value: JSON, among shapes: [FileShape]) -> FileShape? {
    let same = shapes.filter { $0.kinds.isEmpty || $0.kinds.contains(value.kind) }
    let best = same.map { $0.likeness(to: value) }.max()
    return same.first { $0.likeness(to: value) == best }
  }

  private func likeness(to value: JSON) -> Int {
    guard case .object(let shape) = self, let members = value.object?.members else { return 0 }
    let needed = shape.keys.filter(\.isRequired)
    let hasAll = needed.allSatisfy { key in members.contains { $0.key == key.name } }
    return (hasAll ? 100 : 0) + members.count { shape[$0.key] != nil }
  }

  private func reportKind(_ value: JSON, _ path: String, _ problems: ProblemList) {
    if path.isEmpty {
      return problems.add(
        "kind", path, value.position, "This is \(value.kind), not \(kinds.alternatives).",
        fix: "Write an object in braces.")
    }
    let name = path.split(separator: ".").last.map(String.init) ?? path
    problems.add(
      value, path, "'\(name.printable)' is \(value.kind), not \(kinds.alternatives).",
      fix: advice)
  }

  /// The fix for a value of the wrong kind.
  private var advice: String {
    if case .form(let form) = self { return form.fixOfKind }
    return kinds == ["text"] ? "Put it in quotes." : "Write \(kinds.alternatives)."
  }

  private func check(
    _ value: JSON, _ path: String, among words: [String], instead: ((String) -> String?)?,
    _ problems: ProblemList
  ) {
    guard let word = value.string, !words.contains(word) else { return }
    let near = Suggestion.near(word, among: words).first.map { "Did you mean '\($0)'?" }
    problems.add(
      value, path, "Invalid value.",
      fix: near ?? instead?(word) ?? "Write \(words.alternatives).")
  }

  private func check(
    _ value: JSON, _ path: String, in range: ClosedRange<Int>, _ problems: ProblemList
  ) {
    if let number = value.number?.whole, range.contains(number) { return }
    let limit =
      range.upperBound == .max
      ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    problems.add(value, path, "This is not a whole number \(limit).", fix: "Correct the number.")
  }

  private func checkWords(_ value: JSON, _ path: String, _ problems: ProblemList) {
    FileShape.array(.text).check(value, at: path, problems)
    guard value.array?.isEmpty ?? false else { return }
    problems.add(value, path, "This array is empty.", fix: "Add at least one text.")
  }

  private func check(
    _ value: JSON, _ path: String, _ form: TextForm, _ problems: ProblemList
  ) {
    if let text = value.string, form.fits(text) { return }
    problems.add(value, path, form.message, fix: form.fix)
  }

  private func checkYes(_ value: JSON, _ path: String, _ problems: ProblemList) {
    if value.bool == true { return }
    problems.add(value, path, "This can only be true.", fix: "Write true, or leave it out.")
  }

  private func checkRatio(_ value: JSON, _ path: String, _ problems: ProblemList) {
    if let number = value.number?.double, 0...1 ~= number { return }
    problems.add(
      value, path, "This is not a number from 0 to 1.", fix: "Write a number such as 0.95.")
  }
}

extension ObjectShape {
  /// - Parameter others: keys of the other objects allowed here.
  fileprivate func check(
    _ value: JSON, at path: String, beside others: [String], _ problems: ProblemList
  ) {
    let members = value.object?.members ?? []
    for member in members {
      if let refusal = self[member.key]?.refusal {
        problems.add(
          "key", memberPath(member.key, in: path), member.keyPosition, refusal.message,
          fix: refusal.fix)
      } else if let key = self[member.key] {
        key.shape.check(member.value, at: memberPath(key.name, in: path), problems)
      } else {
        report(member, path, beside: others, problems)
      }
    }
    for key in keys where key.isRequired && !members.contains(where: { $0.key == key.name }) {
      problems.add(
        "missing", memberPath(key.name, in: path), value.position, "'\(key.name)' is missing.",
        fix: "Add '\(key.name)'.")
    }
    checkExclusive(members, path, problems)
  }

  private func report(
    _ member: JSONMember, _ path: String, beside others: [String], _ problems: ProblemList
  ) {
    let name = member.key.printable
    let names = keys.filter { $0.refusal == nil }.map(\.name)
    let required = keys.first(where: \.isRequired)?.name ?? ""
    let near = Suggestion.near(member.key, among: names).first
    let isOther = others.contains(member.key)
    problems.add(
      "key", memberPath(member.key, in: path), member.keyPosition,
      isOther
        ? "'\(required)' and '\(name)' cannot be used together."
        : "'\(name)' is not a known key here.",
      fix: isOther
        ? "Remove one of them."
        : near.map { "Did you mean '\($0)'?" }
          ?? "Remove it, or use one of: \(names.joined(separator: ", ")).")
  }

  private func checkExclusive(
    _ members: [JSONMember], _ path: String, _ problems: ProblemList
  ) {
    for group in exclusive {
      let present = members.filter { group.contains($0.key) }
      guard present.count > 1 else { continue }
      problems.add(
        "value", memberPath(present[1].key, in: path), present[1].keyPosition,
        "'\(present[0].key)' and '\(present[1].key)' cannot be used together.",
        fix: "Remove one of them.")
    }
  }
}

func memberPath(_ key: String, in path: String) -> String {
  path.isEmpty ? key : "\(path).\(key)"
}

extension ProblemList {
  /// Adds a problem with a value.
  package func add(_ value: JSON, _ path: String, _ message: String, fix: String) {
    add("value", path, value.position, message, fix: fix)
  }
}
