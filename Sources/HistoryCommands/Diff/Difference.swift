internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting

/// The differences between two places in the history.
struct Difference {
  /// A difference; a side is nil if it lacks the fact.
  struct Line {
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
      parts: [
        .object("old", old.members), .object("new", new.members),
        .json("same", .flag(isSame && lost == nil)), .json("payloadsCompared", .flag(lost == nil)),
        .json("differences", JSON(.array(lines.map(\.json)))), .lines(isSame ? [] : text),
      ], exitCode: code)
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
  fileprivate var json: JSON {
    let members = [
      ("part", .text(part.rawValue)), ("name", .text(name)), ("old", old), ("new", new),
    ]
    return JSON(
      .object(
        JSONObject(
          members.compactMap { key, value in value.map { JSONMember(key: key, value: $0) } })
      ))
  }

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

extension ComparedSide {
  /// The description of the place.
  fileprivate var title: String {
    guard let push else { return "run \(run)" }
    return "run \(run), push \(push.sequence): \(push.apnsID) to "
      + push.recipient(showsToken: false) + ", "
      + moment(push.at).plain
  }

  fileprivate var members: [Report.Part] {
    [
      .json("run", .number(run.rawValue)), .json("sequence", .number(push?.sequence)),
      .json("apnsID", .text(push?.apnsID.description)),
    ]
  }
}
