internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel

extension Difference {
  /// In the manner of diff; people read nothing when nothing differs.
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
    let values = [("old", old), ("new", new)].compactMap { key, value in
      value.map { JSONMember(key: key, value: $0) }
    }
    let names = [("part", part.rawValue), ("name", name)].map {
      JSONMember(key: $0.0, value: .text($0.1))
    }
    return JSON(.object(JSONObject(names + values)))
  }

  fileprivate var text: [StyledText] {
    [
      old.map { "\("- \(name): \(read($0))", .bad)" },
      new.map { "\("+ \(name): \(read($0))", .good)" },
    ].compactMap(\.self)
  }

  /// In a payload a text has quotes, for 1 and "1" differ.
  private func read(_ value: JSON) -> String {
    if part == .counts, let count = value.number?.int { return grouped(count) }
    if part != .payload, let text = value.string { return text }
    return value.encodedString()
  }
}

extension ComparedSide {
  /// Which place it is.
  fileprivate var title: String {
    guard let push else { return "run \(run)" }
    return "run \(run), push \(push.sequence): \(push.apnsID) to \(shortToken(push.token)), "
      + ISO8601.text(seconds: push.at / 1000)
  }

  fileprivate var members: [Report.Part] {
    [
      .json("run", .number(run.rawValue)), .json("sequence", .number(push?.sequence)),
      .json("apnsID", .text(push?.apnsID.description)),
    ]
  }
}
