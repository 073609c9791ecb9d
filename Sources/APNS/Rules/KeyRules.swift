import JSONText

extension RuleTable {
  /// The values of Apple's keys, each held to its row in ``PayloadKey/table``.
  static let keyRules: [Rule] = [
    keyRule(
      "key-kind", .error, .kind,
      summary: "The value of an Apple key has the JSON type that Apple documents.",
      fix: "Write it as that type: 3 is a number, \"3\" is text."),
    keyRule(
      "key-placeholder", .error, .placeholder,
      summary: "A placeholder stands for text only, for templates are not filled.",
      fix: "Write the value itself."),
    keyRule(
      "key-word", .error, .word,
      summary: "A key with a list of words has one of them.", fix: "Give one of the words."),
    keyRule(
      "key-range", .error, .range,
      summary: "A number is in the range that Apple gives for its key.",
      fix: "Give a number in the range."),
    keyRule(
      "key-milliseconds", .error, .milliseconds,
      summary: "A date is in seconds since 1970, not in milliseconds.",
      fix: "Divide it by 1000.", source: Source.liveActivity),
    keyRule(
      "key-channel", .error, .channel,
      summary: "input-push-channel is a channel id as APNs gave it, in base64.",
      fix: "Give the id of the apns-channel-id header.", source: Source.liveActivity),
    keyRule(
      "key-null", .warning, .null,
      summary: "An Apple key has a value that is not null.",
      fix: "Leave the key out."),
    keyRule(
      "key-switch", .warning, .switch,
      summary: "A key that only switches something on has the one value that Apple documents.",
      fix: "Give that value, or leave the key out."),
    keyRule(
      "key-epoch", .warning, .epoch,
      summary: "A date is counted from 1970, not from 2001 or from now.",
      fix: "Give seconds since 1970.", source: Source.liveActivity),
    Rule(
      "key-for-type", .warning, about: .payload,
      summary: "An Apple key is one that the push type looks at.",
      fix: "Remove it, or change the push type.", source: Source.payload
    ) { draft, _ in
      guard let type = draft.pushTypeInfo?.type else { return [] }
      return draft.appleMembers { payload, member in
        guard let key = member.node?.key, !key.types.isEmpty, !key.types.contains(type),
          member.parent !== PayloadKeyNode.root
        else { return [] }
        let message = "A push of type \(type) does nothing with \(key.path)."
        return [payload.finding(member.path, member.member.value, message)]
      }
    },
  ]

  private static func keyRule(
    _ identifier: String, _ severity: Severity, _ fault: KeyFault, summary: String, fix: String,
    source: String = Source.payload
  ) -> Rule {
    Rule(
      identifier, severity, about: .payload, summary: summary, fix: fix, source: source
    ) { draft, _ in
      let type = draft.pushTypeInfo?.type
      let own = ownKey(of: type)
      return draft.appleMembers { payload, member in
        guard let key = member.node?.key, key.path != own, key.path != "aps",
          KeyFault(of: member.member.value, for: key, type) == fault
        else { return [] }
        return fault.findings(payload, key, member)
      }
    }
  }

  // A key that has a rule of its own for this push type, which says more.
  private static func ownKey(of type: PushType?) -> String? {
    switch type {
    case .background: "aps.content-available"
    case .widgets, .controls: "aps.content-changed"
    case .mdm: "mdm"
    default: nil
    }
  }
}
