internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel

/// What differs between two places of the history.
struct Difference {
  /// Something that is not the same; nil where a side has no such thing.
  struct Line {
    let part: ComparedSide.Part
    let name: String
    let old: JSON?
    let new: JSON?
  }

  private let old: ComparedSide
  private let new: ComparedSide

  /// All that differs, latencies too.
  let lines: [Line]

  init(_ old: ComparedSide, _ new: ComparedSide) {
    (self.old, self.new) = (old, new)
    var parts: Set<ComparedSide.Part> = [.request, .payload]
    if old.isRun == new.isRun { parts.formUnion(ComparedSide.Part.allCases) }
    // What one side does not know of its payload differs from nothing.
    if old.lost != nil || new.lost != nil { parts.remove(.payload) }
    lines = ComparedSide.Part.allCases.filter { parts.contains($0) }
      .flatMap { Self.lines($0, old, new) }
  }

  /// Whether nothing differs that counts.
  var isSame: Bool { lines.allSatisfy { $0.part == .latency } }

  /// Why the payloads could not be compared; nil when they were.
  var lost: Failure? { old.lost ?? new.lost }

  private static func lines(
    _ part: ComparedSide.Part, _ old: ComparedSide, _ new: ComparedSide
  ) -> [Line] {
    let (before, after) = (old.values(part), new.values(part))
    let names = before.names + after.names.filter { before.values[$0] == nil }
    return names.compactMap { name in
      let line = Line(part: part, name: name, old: before.values[name], new: after.values[name])
      return line.old == line.new ? nil : line
    }
  }
}

extension ComparedSide {
  /// The facts of a part by their names, and the names in order. Of two with one name the last
  /// counts, as it does for who reads a payload.
  fileprivate func values(_ part: Part) -> (names: [String], values: [String: JSON]) {
    var (names, values): ([String], [String: JSON]) = ([], [:])
    for fact in facts where fact.part == part {
      if values.updateValue(fact.value, forKey: fact.name) == nil { names.append(fact.name) }
    }
    return (names, values)
  }

  /// Which place it is.
  fileprivate var title: String {
    guard let push else { return "run \(run)" }
    return "run \(run), push \(push.sequence): \(push.apnsID) to \(shortToken(push.token)), "
      + ISO8601.text(seconds: push.at / 1000)
  }
}

// As a person reads it.
extension Difference {
  /// In the manner of diff; empty when nothing differs.
  func text(_ style: Style) -> String {
    guard !isSame else { return "" }
    let head = [style.bold("--- \(old.title)"), style.bold("+++ \(new.title)")]
    let parts = ComparedSide.Part.allCases.flatMap { part -> [String] in
      let lines = lines.filter { $0.part == part }
      return lines.isEmpty
        ? [] : [style.bold("@ \(part.rawValue)")] + lines.flatMap { text($0, style) }
    }
    return (head + parts).joined(separator: "\n") + "\n"
  }

  private func text(_ line: Line, _ style: Style) -> [String] {
    let name = line.name.printable
    let old = line.old.map { style.bad("- \(name): \(text($0, line.part))") }
    let new = line.new.map { style.good("+ \(name): \(text($0, line.part))") }
    return [old, new].compactMap(\.self)
  }

  /// In a payload a text has quotes, for 1 and "1" differ.
  private func text(_ value: JSON, _ part: ComparedSide.Part) -> String {
    if part == .counts, let count = value.number?.int { return grouped(count) }
    if part != .payload, let text = value.string { return text.printable }
    return value.encodedString()
  }
}

// As a program reads it.
extension Difference {
  /// One object on a line.
  var json: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.object("old") { old.write(to: &$0) }
    json.object("new") { new.write(to: &$0) }
    json.member("same", isSame && lost == nil)
    json.member("payloadsCompared", lost == nil)
    json.key("differences")
    json.beginArray()
    for line in lines { write(line, to: &json) }
    json.endArray()
    json.endObject()
    json.endLine()
    return json.bytes
  }

  private func write(_ line: Line, to json: inout JSONWriter) {
    json.beginObject()
    json.member("part", line.part.rawValue)
    json.member("name", line.name)
    for (key, value) in [("old", line.old), ("new", line.new)] {
      guard let value else { continue }
      json.key(key)
      json.value(value)
    }
    json.endObject()
  }
}

extension ComparedSide {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("run", run.rawValue)
    json.member("sequence", push?.sequence)
    json.member("apnsID", push?.apnsID.description)
  }
}
