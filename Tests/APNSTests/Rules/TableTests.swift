import APNS
import Testing

/// What has to hold for every row of every fact table.
@Suite struct TableTests {
  @Test("No table has two rows of one name")
  func unique() {
    let columns = [
      PushType.table.map(\.type.rawValue), Reason.table.map(\.reason.rawValue),
      Status.table.map(\.status.description), RuleTable.all.map(\.identifier),
      HeaderTable.all.map(\.name), PayloadKey.table.map(\.path),
    ]
    for column in columns { #expect(Set(column).count == column.count) }
  }

  @Test(
    "All eleven push types are there, each with a priority it may use", arguments: PushType.table)
  func pushTypes(info: PushTypeInfo) {
    #expect(PushType.table.count == 11)
    #expect(info.priorities.contains(info.defaultPriority))
    #expect(Set(info.priorities).isDisjoint(with: info.doubtfulPriorities))
    #expect(info.suffix.isEmpty || info.suffix.hasPrefix("."))
    #expect(info.payloadLimit == (info.type == .voip ? 5120 : 4096))
    #expect(!info.authentication.isEmpty)
    #expect(PushType(rawValue: info.type.rawValue) == info.type)
  }

  @Test("Calls and speech are of no use once they are late")
  func urgency() {
    #expect(PushType.table.filter(\.isUrgent).map(\.type) == [.voip, .pushtotalk])
  }

  @Test("No suffix hides behind another")
  func suffixes() {
    let suffixes = PushType.table.map(\.suffix).filter { !$0.isEmpty }
    for suffix in suffixes {
      #expect(suffixes.filter { suffix.hasSuffix($0) } == [suffix])
    }
  }

  @Test("Every reason comes with a status of the table", arguments: Reason.table)
  func reasons(info: ReasonInfo) {
    #expect(info.status.info != nil)
    #expect(info.reason.info == info)
    #expect(Reason(rawValue: info.reason.rawValue) == info.reason)
    #expect(info.deadToken == .no || info.retry == .never)
  }

  @Test("Every reason of a device push in Apple's list is there")
  func reasonCount() {
    #expect(Reason.table.filter { $0.scope != .broadcast }.count == 33)
    #expect(Reason.table.filter { $0.scope == .broadcast }.count == 10)
  }

  @Test(
    "Every reason a rule names is one that the pushes get which the rule is about",
    arguments: RuleTable.all.map(\.identifier))
  func ruleReasons(identifier: String) throws {
    let rule = try #require(RuleTable.rule(identifier))
    // Apple lists DuplicateHeaders for devices alone.
    if let info = rule.reason?.info, info.reason != .duplicateHeaders {
      #expect([rule.scope, .both].contains(info.scope))
    }
    #expect(rule.isForceable || rule.severity == .error)
    #expect(identifier.allSatisfy { $0.isLowercase || $0 == "-" })
  }

  @Test("Every text of every table is a whole sentence and has a source")
  func texts() {
    let sentences =
      PushType.table.map(\.summary) + Reason.table.flatMap { [$0.meaning, $0.advice] }
      + Status.table.map(\.meaning) + RuleTable.all.flatMap { [$0.summary, $0.fix] }
      + HeaderTable.all.flatMap { [$0.summary, $0.explanation] }
      + PayloadKey.table.flatMap { [$0.summary, $0.explanation] }
    for sentence in sentences {
      #expect(sentence.count > 8 && sentence.hasSuffix("."), "\(sentence)")
      #expect(!sentence.contains("  ") && !sentence.contains("\n"), "\(sentence)")
    }
    let sources =
      PushType.table.map(\.source) + Reason.table.map(\.source) + RuleTable.all.map(\.source)
      + HeaderTable.all.map(\.source) + PayloadKey.table.map(\.source)
    #expect(sources.allSatisfy { !$0.isEmpty })
  }

  @Test("Every header a rule or a notification uses is explained")
  func headers() {
    let names: [HeaderName] = [
      .topic, .pushType, .priority, .expiration, .collapseID, .id, .channelID, .requestID,
    ]
    for name in names { #expect(HeaderTable.info(name.text.uppercased())?.name == name.text) }
  }

  @Test("Every key has its parent in the table", arguments: PayloadKey.table)
  func parents(key: PayloadKey) {
    guard let dot = key.path.lastIndex(of: ".") else { return }
    let parent = PayloadKey.table.first { $0.path == key.path[..<dot] }
    #expect(parent?.kinds.contains(.object) == true)
  }
}

@Suite("The rules of a payload's form")
struct FormRuleTests {
  static let texts = [
    "", "7", "{", "\u{feff}{}", #"{“a”: 1}"#, #"{"a": 1, "a": 2}"#, #"{"a": "\ud83c"}"#,
    String(repeating: "[", count: 40),
  ]

  @Test("tell of every text that is no object why", arguments: texts)
  func told(_ text: String) {
    let draft = Draft(payload: DraftPayload(reading: Array(text.utf8)))
    let problems = RuleTable.formRules.flatMap { $0.problems(in: draft, RuleContext(now: 0)) }
    #expect(problems.count == 1)
  }
}
