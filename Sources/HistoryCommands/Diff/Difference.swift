internal import APNS
internal import History
package import JSONText
internal import PlainText
internal import PushModel
package import Reporting

/// The differences between two places in the history.
struct Difference: JSONDescribed {
  static let fields: [JSONField<Self>] = [
    .always("old", "The first of the two.") { $0.old },
    .always("new", "The second of the two.") { $0.new },
    .always("same", "Whether nothing that is compared differs.") { $0.isSame && $0.lost == nil },
    .always("payloadsCompared", "Whether both payloads could be compared.") { $0.lost == nil },
    .always("differences", "What differs.") { $0.lines },
  ]

  /// A difference; a side is nil if it lacks the fact.
  struct Line: JSONDescribed {
    static let fields: [JSONField<Self>] = [
      .always("part", "What it is part of.") { $0.part },
      .always("name", "The header field, key or figure.") { $0.name },
      .sometimes("old", "The value of the first side, if it has one.") { $0.old },
      .sometimes("new", "The value of the second side, if it has one.") { $0.new },
    ]

    let part: ComparedSide.Part
    let name: String
    let old: JSON?
    let new: JSON?
  }

  let old: ComparedSide
  let new: ComparedSide
  /// All differences, including latency.
  let lines: [Line]

  init(_ old: ComparedSide, _ new: ComparedSide) {
    (self.old, self.new) = (old, new)
    let areAlike = (old.push == nil) == (new.push == nil)
    let isLost = old.lost != nil || new.lost != nil
    lines = ComparedSide.Part.allCases.flatMap { part -> [Line] in
      switch part {
      case .payload where isLost: []
      case .request, .payload: Self.lines(part, old, new)
      case .answer, .latency, .counts: areAlike ? Self.lines(part, old, new) : []
      }
    }
  }

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

  /// Nothing differs except perhaps the latency.
  var isSame: Bool { lines.allSatisfy { $0.part == .latency } }

  /// The reason the payloads could not be compared; nil if they were.
  var lost: Failure? { old.lost ?? new.lost }

  /// The differences in the style of diff; nothing for people if there are none.
  var report: Report {
    let code: ExitCode = lost != nil ? .usage : isSame ? .success : .failure
    return Report(
      parts: parts + [.lines(isSame ? [] : text)], exitCode: code)
  }

  private var text: [StyledText] {
    let head: [StyledText] = ["\("--- \(old.title)", .bold)", "\("+++ \(new.title)", .bold)"]
    return head
      + ComparedSide.Part.allCases.flatMap { part -> [StyledText] in
        let lines = lines.filter { $0.part == part }
        return lines.isEmpty ? [] : ["\("@ \(part.rawValue)", .bold)"] + lines.flatMap(\.text)
      }
  }
}

extension Difference.Line {
  fileprivate var text: [StyledText] {
    [
      old.map { "\("- \(name): \(read($0))", .bad)" },
      new.map { "\("+ \(name): \(read($0))", .good)" },
    ].compactMap(\.self)
  }

  /// Quotes text in a payload: 1 and "1" differ.
  private func read(_ value: JSON) -> String {
    if part == .counts, let count = value.number?.int { return grouped(count) }
    if part != .payload, let text = value.string { return text }
    return value.encodedString()
  }
}

extension ComparedSide: JSONDescribed {
  static let fields: [JSONField<Self>] = [
    .always("run", "The run.") { $0.run.rawValue },
    .always("sequence", "The push's number in it; null for a run.") { $0.push?.sequence },
    .always("apnsID", "The push's apns-id; null for a run.") { $0.push?.apnsID.description },
  ]

  /// The description of the place.
  fileprivate var title: String {
    guard let push else { return "run \(run)" }
    return "run \(run), push \(push.sequence): \(push.apnsID) to "
      + push.recipient(showsToken: false) + ", "
      + moment(push.at).plain
  }
}

extension Outputs {
  package static let difference = Difference.jsonShape
}
