/// The rules for notifications. `check`, `send` and the emulator all use this one list.
public enum RuleTable {
  /// The rules in the order that APNs is believed to check them: requests that cannot be sent at
  /// all, then headers, then the payload. Apple documents no order.
  public static let all: [Rule] =
    headerRules + channelRules + topicRules + pushTypeRules + fieldRules + payloadRules
    + syntaxRules
    + pushTypePayloadRules + alertRules + textRules + soundRules + liveActivityRules + keyRules
    + strayKeyRules
    + simulatorRules + templateRules

  /// All problems of a draft, in the order of the rules.
  ///
  /// For a simulator, only rules about the payload and about simulators apply.
  public static func problems(in draft: Draft, _ context: RuleContext) -> [Problem] {
    let rules = rules(for: draft.target, context.audience)
    var problems: [Problem] = []
    let draft = ExaminedDraft(draft, context)
    for index in rules.indices { problems += rules[index].problems(in: draft) }
    return problems
  }

  /// The problems of a draft under the rules about simulators only.
  public static func simulatorProblems(in draft: Draft, _ context: RuleContext) -> [Problem] {
    let draft = ExaminedDraft(draft, context)
    return simulatorRules.flatMap { $0.problems(in: draft) }
  }

  private static func rules(
    for target: DraftTarget, _ audience: RuleContext.Audience
  ) -> [Rule] {
    switch (audience, target) {
    case (.simulator, _): rulesOfFiles
    case (.device, .device): rulesOfDevices
    case (.device, .channel): rulesOfChannels
    }
  }

  private static let rulesOfPushes = all.filter {
    $0.subject != .simulator && $0.subject != .template
  }
  private static let rulesOfDevices = rulesOfPushes.filter { $0.scope != .broadcast }
  private static let rulesOfChannels = rulesOfPushes.filter { $0.scope != .device }
  private static let rulesOfFiles = all.filter {
    $0.scope != .broadcast && ($0.subject == .payload || $0.subject == .simulator)
  }

  /// The rules that explain why a payload is not a JSON object; such a payload breaks one of them.
  public static let formRules: [Rule] =
    ["payload-missing", "payload-object"].compactMap { rule($0) } + syntaxRules

  /// The rule with this identifier; nil if there is none.
  public static func rule(_ identifier: some StringProtocol) -> Rule? {
    all.first { $0.identifier == identifier }
  }
}

/// The rules as a page of documentation.
public enum RuleDocumentation {
  /// The page in Markdown, with a row for each rule of ``RuleTable/all`` in order. It ends in a
  /// line feed.
  public static var markdown: String {
    let payload = RuleTable.all.filter { $0.subject == .payload }
    let simulator = RuleTable.all.filter { $0.subject == .simulator }
    let templates = RuleTable.all.filter { $0.subject == .template }
    let headers = RuleTable.all.filter {
      ![.payload, .simulator, .template].contains($0.subject)
    }
    return introduction + section("Headers", headers) + section("Payload", payload)
      + section("Simulator", simulator) + section("Templates", templates)
  }

  private static let introduction = """
    # Rules

    What a notification is checked for before it is sent. This page is generated from the table in
    `Sources/APNS/Rules`; `RECORD_SNAPSHOTS=1 swift test --filter RuleDocumentation` updates it.

    A notification that breaks a rule of severity error is not sent without `--force`; rules marked
    with an asterisk cannot be forced. Warnings are only reported. The answer is what APNs returns
    for a push that breaks the rule: often no error, and then the push is accepted and lost, or
    shown without the part that is wrong. Where no source documents the answer, it is unknown.
    Most rules hold for pushes to devices and to channels alike; the others say which.

    """

  private static func section(_ title: String, _ rules: [Rule]) -> String {
    let head = """

      ## \(title)

      | rule | severity | pushes to | requirement | fix | APNs' answer | source |
      | --- | --- | --- | --- | --- | --- | --- |

      """
    return head + rules.map(row).joined()
  }

  private static func row(_ rule: Rule) -> String {
    let cells = [
      "`\(rule.identifier)`", rule.severity.rawValue + (rule.isForceable ? "" : "*"),
      pushes(of: rule.scope), rule.summary, rule.fix, answer(rule), rule.source,
    ]
    return "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
  }

  private static func pushes(of scope: RequestScope) -> String {
    switch scope {
    case .device: "devices"
    case .broadcast: "channels"
    case .both: "both"
    }
  }

  private static func answer(_ rule: Rule) -> String {
    rule.reason == nil ? rule.answer : "`\(rule.answer)`"
  }

  private static func escaped(_ cell: String) -> String {
    cell.map { "|\\*<".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
