extension RuleTable {
  /// Keys and values, each held to its row in ``PayloadKey/table``.
  static let keyRules: [Rule] = [
    keyRule(
      "key-kind", .error, .kind,
      summary: "The value of an Apple key has the JSON type that Apple documents.",
      fix: "Write it as that type: 3 is a number, \"3\" is text."),
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
    keyRule(
      "key-for-type", .warning, .otherType,
      summary: "An Apple key is one that the push type looks at.",
      fix: "Remove it, or change the push type."),
    keyRule(
      "key-for-event", .warning, .otherEvent,
      summary: "A key of a Live Activity is one that the event looks at.",
      fix: "Remove it, or change the event.", source: Source.liveActivity),
    keyRule(
      "key-unknown", .warning, .unknown,
      summary: "aps and the objects in it hold Apple's keys alone; APNs ignores others.",
      fix: "Move it beside aps if it is the app's own."),
  ]

  private static func keyRule(
    _ identifier: String, _ severity: Severity, _ fault: KeyFault, summary: String, fix: String,
    source: String = Source.payload
  ) -> Rule {
    Rule(
      identifier, severity, about: .payload, summary: summary, fix: fix, source: source
    ) { draft, _ in
      guard !draft.keyFaults.isEmpty, let payload = draft.payload else { return [] }
      return draft.keyFaults.filter { $0.fault == fault && !isHeader($0.member) }
        .flatMap { fault.findings(payload, $0.member, draft) }
    }
  }
}
