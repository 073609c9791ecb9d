internal import APNS
internal import JSONText
internal import Projects

/// Something that `explain` explains: a row of one of the fact tables.
struct ExplainedTopic {
  /// The kind of thing; in the plural it heads the list.
  enum Kind: String, CaseIterable {
    case header
    case pushType = "push type"
    case payloadKey = "payload key"
    case reason
    case status
    case rule
    case exitCode = "exit code"
    case scenarioKey = "scenario key"

    fileprivate var plural: String { self == .status ? "statuses" : rawValue + "s" }
  }

  let kind: Kind
  let name: String
  let summary: String
  /// Further facts, causes among them.
  let facts: [Report.Part]

  /// Whether this word stands for this topic.
  func answers(to word: String) -> Bool {
    let word = word.lowercased()
    if kind == .scenarioKey, let last = name.split(separator: ".").last, last.lowercased() == word {
      return true
    }
    return name.lowercased() == word || name.lowercased() == "aps." + word
      || (kind == .header && name == "apns-" + word)
  }

  /// Everything that can be explained, in the order of the list.
  static var all: [ExplainedTopic] {
    headers + pushTypes + payloadKeys + reasons + statuses + rules + exitCodes + scenarioKeys
  }
}

// What is told.
extension ExplainedTopic {
  /// The topic with its facts.
  var parts: [Report.Part] {
    let summary = [Report.Part.json("summary", .text(summary)), .paragraph(StyledText(summary))]
    let head = [Report.Part.json("kind", .text(kind.rawValue)), .json("name", .text(name))]
    return [.section("\(name)  (\(kind.rawValue))", head + summary + facts)]
  }

  /// The names of all topics, by kind, each with its summary.
  static var list: [Report.Part] {
    let topics = all
    return Kind.allCases.map { kind in
      .section(
        StyledText(kind.plural),
        topics.filter { $0.kind == kind }.map { .text("\($0.name)", "\($0.summary)") })
    }
  }

  /// Causes, the likeliest first, each with its fix.
  static func causes(_ causes: [Cause]) -> [Report.Part] {
    if causes.isEmpty { return [] }
    let rows = causes.enumerated().map { index, cause -> [Report.Part] in
      [.fact("\(index + 1).", "text", .text(cause.text)), .fix(cause.fix)]
    }
    return [.section("Possible causes, the most likely first:", [.list("causes", rows)])]
  }

  private static func fact(_ name: StyledText, _ key: String, _ text: String) -> [Report.Part] {
    text.isEmpty ? [] : [.fact(name, key, .text(text))]
  }

  private static func explanation(_ text: String) -> [Report.Part] {
    text.isEmpty ? [] : [.json("explanation", .text(text)), .paragraph(StyledText(text))]
  }

  private static func source(_ text: String) -> [Report.Part] { fact("source", "source", text) }
}

// One list for each table.
extension ExplainedTopic {
  private static var headers: [ExplainedTopic] {
    HeaderTable.all.map { row in
      ExplainedTopic(
        kind: .header, name: row.name, summary: row.summary,
        facts: explanation(row.explanation) + fact("format", "format", row.format)
          + source(row.source))
    }
  }

  private static var pushTypes: [ExplainedTopic] {
    PushType.table.map { row in
      let priorities = row.priorities.map(\.description).joined(separator: ", ")
      let ways = row.authentication.map(\.rawValue).sorted().joined(separator: " or ")
      return ExplainedTopic(
        kind: .pushType, name: row.type.rawValue, summary: row.summary,
        facts: fact("topic", "topic", topic(of: row)) + fact("priority", "priority", priorities)
          + fact("payload", "payload", "at most \(row.payloadLimit) bytes")
          + fact("authentication", "signsIn", ways)
          + fact("platforms", "platforms", row.platforms) + source(row.source))
    }
  }

  private static func topic(of row: PushTypeInfo) -> String {
    if !row.usesBundleID { return "the one in the MDM certificate, com.apple.mgmt.…" }
    return "bundle ID" + (row.suffix.isEmpty ? "" : " + " + row.suffix)
  }

  private static var payloadKeys: [ExplainedTopic] {
    PayloadKey.table.map { row in
      ExplainedTopic(
        kind: .payloadKey, name: row.path, summary: row.summary,
        facts: explanation(row.explanation)
          + fact("type", "type", row.kinds.map(\.rawValue).joined(separator: " or "))
          + source(row.source))
    }
  }

  private static var reasons: [ExplainedTopic] {
    Reason.table.map { row in
      let causes = row.reason.causes
      // Each of several causes has its own fix.
      let fix = causes.count > 1 ? [] : fact("fix", "fix", row.advice)
      return ExplainedTopic(
        kind: .reason, name: row.reason.rawValue, summary: row.meaning,
        facts: fix + fact("status", "status", row.status.description) + source(row.source)
          + self.causes(causes.count > 1 ? causes : []))
    }
  }

  private static var statuses: [ExplainedTopic] {
    Status.table.map { row in
      let reasons = Reason.table.filter { $0.status == row.status }.map(\.reason.rawValue)
      return ExplainedTopic(
        kind: .status, name: row.status.description, summary: row.meaning,
        facts: fact("reasons", "reasons", reasons.joined(separator: ", ")))
    }
  }

  private static var rules: [ExplainedTopic] {
    RuleTable.all.map { row in
      ExplainedTopic(
        kind: .rule, name: row.identifier, summary: row.summary,
        facts: fact("fix", "fix", row.fix) + fact("severity", "severity", row.severity.rawValue)
          + fact("APNs answers", "apnsSays", row.answer) + source(row.source))
    }
  }

  private static var exitCodes: [ExplainedTopic] {
    ExitCode.allCases.map { code in
      ExplainedTopic(
        kind: .exitCode, name: String(code.rawValue), summary: code.meaning, facts: [])
    }
  }
}

extension ExplainedTopic {
  private static var scenarioKeys: [ExplainedTopic] {
    ScenarioShape.file.places.map { place in
      ExplainedTopic(
        kind: .scenarioKey, name: place.path, summary: place.key.help,
        facts: fact("type", "type", place.key.shape.inWords)
          + (place.key.isRequired ? explanation("Required.") : []))
    }
  }
}

extension Rule {
  /// The answer of APNs when the rule is broken.
  fileprivate var answer: String {
    if let reason { return reason.rawValue }
    return isAnswerKnown ? "nothing" : "unknown"
  }
}

extension Reason {
  /// What it means, what is most likely behind it, and what to do, as lines.
  func advice(_ facts: RequestFacts) -> [StyledText] {
    guard let info else { return [] }
    var lines: [StyledText] = ["\(rawValue, .bold): \(info.meaning)"]
    if let cause = causes(of: facts).first {
      if cause.text != info.meaning { lines.append("  Most likely: \(cause.text)") }
      lines.append("  \(cause.fix)")
    }
    return lines
  }
}
