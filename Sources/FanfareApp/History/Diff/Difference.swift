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

  let old: ComparedSide
  let new: ComparedSide

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
}
