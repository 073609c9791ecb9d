internal import APNS
internal import JSONText
internal import PlainText
internal import Projects

/// Explains rows of the fact tables, offline.
package struct Explain {
  /// The names to explain; none for the list of all.
  let words: [String]
  let asJSON: Bool
  let context: Context

  package init(words: [String], asJSON: Bool, context: Context) {
    (self.words, self.asJSON, self.context) = (words, asJSON, context)
  }

  /// The names that a shell completes without quotes.
  package static var completions: [String] {
    ExplainedTopic.all.map(\.name).filter { !$0.contains { "[]$".contains($0) } }
  }

  /// - Throws: `Failure.unknownTopic`.
  package func run() throws(Failure) -> ExitCode {
    let all = ExplainedTopic.all
    var found = words.isEmpty ? all : []
    for word in words { found += try Self.topics(word, among: all) }
    let isList = words.isEmpty && !asJSON
    let parts = isList ? ExplainedTopic.list(all) : [.list(nil, found.map(\.parts))]
    return context.tell(Report(parts: parts, form: .array), asJSON: asJSON)
  }

  private static func topics(
    _ word: String, among all: [ExplainedTopic]
  ) throws(Failure) -> [ExplainedTopic] {
    let found = all.filter { $0.answers(to: word) }
    if found.isEmpty {
      throw .unknownTopic(word, near: Suggestion.near(word, among: all.map(\.name)))
    }
    return found
  }
}

extension Failure {
  static func unknownTopic(_ word: String, near: [String]) -> Failure {
    Failure(
      "There is nothing called '\(word.printable)'.",
      fix: near.isEmpty
        ? "'fanfare explain' lists everything it can explain."
        : "Did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?")
  }
}

/// A row of one of the fact tables, as `explain` tells it.
struct ExplainedTopic {
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
  let facts: [Report.Part]

  func answers(to word: String) -> Bool {
    let word = word.lowercased()
    if kind == .scenarioKey, let last = name.split(separator: ".").last, last.lowercased() == word {
      return true
    }
    return name.lowercased() == word || name.lowercased() == "aps." + word
      || (kind == .header && name == "apns-" + word)
  }

  static var all: [ExplainedTopic] {
    headers + pushTypes + payloadKeys + reasons + statuses + rules + exitCodes + scenarioKeys
  }
}

extension ExplainedTopic {
  var parts: [Report.Part] {
    let head: [Report.Part] = [
      .json("kind", .text(kind.rawValue)), .json("name", .text(name)),
      .json("summary", .text(summary)), .paragraph(StyledText(summary)),
    ]
    return [.section("\(name)  (\(kind.rawValue))", head + facts)]
  }

  static func list(_ topics: [ExplainedTopic]) -> [Report.Part] {
    Kind.allCases.map { kind in
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

  private static func fact(
    _ name: String, _ text: String, key: String? = nil
  ) -> [Report.Part] {
    text.isEmpty ? [] : [.fact(StyledText(name), key ?? name, .text(text))]
  }

  private static func explanation(_ text: String) -> [Report.Part] {
    text.isEmpty ? [] : [.json("explanation", .text(text)), .paragraph(StyledText(text))]
  }
}

// One list for each table.
extension ExplainedTopic {
  private static var headers: [ExplainedTopic] {
    HeaderTable.all.map { row in
      Self(
        kind: .header, name: row.name, summary: row.summary,
        facts: explanation(row.explanation) + fact("format", row.format)
          + fact("source", row.source))
    }
  }

  private static var pushTypes: [ExplainedTopic] {
    PushType.table.map { row in
      let ways = row.authentication.map(\.rawValue).sorted().joined(separator: " or ")
      return Self(
        kind: .pushType, name: row.type.rawValue, summary: row.summary,
        facts: fact("topic", topic(of: row))
          + fact("priority", row.priorities.map(\.description).joined(separator: ", "))
          + fact("payload", "at most \(row.payloadLimit) bytes")
          + fact("authentication", ways, key: "signsIn") + fact("platforms", row.platforms)
          + fact("source", row.source))
    }
  }

  private static func topic(of row: PushTypeInfo) -> String {
    if !row.usesBundleID { return "the one in the MDM certificate, com.apple.mgmt.…" }
    return "bundle ID" + (row.suffix.isEmpty ? "" : " + " + row.suffix)
  }

  private static var payloadKeys: [ExplainedTopic] {
    PayloadKey.table.map { row in
      Self(
        kind: .payloadKey, name: row.path, summary: row.summary,
        facts: explanation(row.explanation)
          + fact("type", row.kinds.map(\.rawValue).joined(separator: " or "))
          + fact("source", row.source))
    }
  }

  private static var reasons: [ExplainedTopic] {
    Reason.table.map { row in
      // Each of several causes has its own fix.
      let causes = row.reason.causes.count > 1 ? row.reason.causes : []
      return Self(
        kind: .reason, name: row.reason.rawValue, summary: row.meaning,
        facts: fact("fix", causes.isEmpty ? row.advice : "")
          + fact("status", row.status.description) + fact("source", row.source)
          + self.causes(causes))
    }
  }

  private static var statuses: [ExplainedTopic] {
    Status.table.map { row in
      let reasons = Reason.table.filter { $0.status == row.status }.map(\.reason.rawValue)
      return Self(
        kind: .status, name: row.status.description, summary: row.meaning,
        facts: fact("reasons", reasons.joined(separator: ", ")))
    }
  }

  private static var rules: [ExplainedTopic] {
    RuleTable.all.map { row in
      Self(
        kind: .rule, name: row.identifier, summary: row.summary,
        facts: fact("fix", row.fix) + fact("severity", row.severity.rawValue)
          + fact("APNs answers", answer(to: row), key: "apnsSays") + fact("source", row.source))
    }
  }

  private static func answer(to broken: Rule) -> String {
    broken.reason?.rawValue ?? (broken.isAnswerKnown ? "nothing" : "unknown")
  }

  private static var exitCodes: [ExplainedTopic] {
    ExitCode.allCases.map {
      Self(kind: .exitCode, name: "\($0.rawValue)", summary: $0.meaning, facts: [])
    }
  }

  private static var scenarioKeys: [ExplainedTopic] {
    ScenarioShape.file.places.map { place in
      Self(
        kind: .scenarioKey, name: place.path, summary: place.key.help,
        facts: fact("type", place.key.shape.inWords)
          + explanation(place.key.isRequired ? "Required." : ""))
    }
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
