internal import APNS
internal import Projects

/// Something that `explain` can explain: a row of one of the fact tables, whatever its kind.
struct ExplainedTopic {
  /// What kind of thing it is: a word that also heads the list.
  enum Kind: String, CaseIterable {
    case header
    case pushType = "push type"
    case payloadKey = "payload key"
    case reason
    case status
    case rule
    case exitCode = "exit code"
    case scenarioKey = "scenario key"
  }

  let kind: Kind
  let name: String
  let summary: String
  /// Further facts, each with what it is about.
  let facts: [(label: String, text: String)]
  /// What may be behind it, the likeliest first; empty for everything but reasons.
  var causes: [Cause] = []

  /// Whether a person who writes this word means this topic.
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

// One list for each table.
extension ExplainedTopic {
  private static var headers: [ExplainedTopic] {
    HeaderTable.all.map { row in
      ExplainedTopic(
        kind: .header, name: row.name, summary: row.summary,
        facts: [("", row.explanation), ("format", row.format), ("source", row.source)])
    }
  }

  private static var pushTypes: [ExplainedTopic] {
    PushType.table.map { row in
      let priorities = row.priorities.map(\.description).joined(separator: ", ")
      let ways = row.authentication.map(\.rawValue).sorted().joined(separator: " or ")
      return ExplainedTopic(
        kind: .pushType, name: row.type.rawValue, summary: row.summary,
        facts: [
          ("topic", topic(of: row)),
          ("priority", priorities), ("payload", "at most \(row.payloadLimit) bytes"),
          ("signs in", ways), ("platforms", row.platforms), ("source", row.source),
        ])
    }
  }

  private static func topic(of row: PushTypeInfo) -> String {
    if row.type == .mdm { return "the one in the MDM certificate, com.apple.mgmt.…" }
    return "bundle id" + (row.suffix.isEmpty ? "" : " + " + row.suffix)
  }

  private static var payloadKeys: [ExplainedTopic] {
    PayloadKey.table.map { row in
      ExplainedTopic(
        kind: .payloadKey, name: row.path, summary: row.summary,
        facts: [
          ("", row.explanation), ("type", row.kinds.map(\.rawValue).joined(separator: " or ")),
          ("source", row.source),
        ])
    }
  }

  private static var reasons: [ExplainedTopic] {
    Reason.table.map { row in
      let causes = row.reason.causes
      // Several causes bring their own fixes.
      let fix = causes.count > 1 ? [] : [("fix", row.advice)]
      return ExplainedTopic(
        kind: .reason, name: row.reason.rawValue, summary: row.meaning,
        facts: fix + [("status", row.status.description), ("source", row.source)],
        causes: causes.count > 1 ? causes : [])
    }
  }

  private static var statuses: [ExplainedTopic] {
    Status.table.map { row in
      let reasons = Reason.table.filter { $0.status == row.status }.map(\.reason.rawValue)
      return ExplainedTopic(
        kind: .status, name: row.status.description, summary: row.meaning,
        facts: reasons.isEmpty ? [] : [("reasons", reasons.joined(separator: ", "))])
    }
  }

  private static var rules: [ExplainedTopic] {
    RuleTable.all.map { row in
      ExplainedTopic(
        kind: .rule, name: row.identifier, summary: row.summary,
        facts: [
          ("fix", row.fix), ("severity", row.severity.rawValue),
          ("APNs says", row.answer), ("source", row.source),
        ])
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
        facts: [("type", place.key.shape.inWords)]
          + (place.key.isRequired ? [("", "It has to be there.")] : []))
    }
  }
}

extension Rule {
  /// What APNs answers when the rule is broken.
  fileprivate var answer: String {
    if let reason { return reason.rawValue }
    return isAnswerKnown ? "nothing" : "not known"
  }
}
