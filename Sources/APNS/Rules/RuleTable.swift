/// The rules for notifications. `check`, `send` and the emulator all use this one list.
public enum RuleTable {
  /// The rules in the order that APNs is believed to check them: requests that cannot be sent at
  /// all, then headers, then the payload. Apple documents no order.
  public static let all: [Rule] =
    headerRules + channelRules + topicRules + pushTypeRules + fieldRules + payloadRules
    + syntaxRules
    + pushTypePayloadRules + alertRules + soundRules + liveActivityRules + keyRules + strayKeyRules
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
