extension RuleTable {
  /// The rules about keys and values, each checked against its row in ``PayloadKey/table``.
  static let keyRules: [Rule] = [
    keyRule(
      "key-kind", .error, .kind,
      summary: "The value of an Apple key has the JSON type that Apple documents.",
      fix: "Use that type: 3 is a number, \"3\" is text."),
    keyRule(
      "key-word", .error, .word,
      summary: "A key with a fixed set of values has one of them.", fix: "Use one of the values."),
    keyRule(
      "key-range", .error, .range,
      summary: "A number is in the range that Apple documents for its key.",
      fix: "Use a number in that range."),
    keyRule(
      "key-milliseconds", .error, .milliseconds,
      summary: "A date is in seconds since 1970, not in milliseconds.",
      fix: "Divide it by 1000.", source: Source.liveActivity),
    keyRule(
      "key-channel", .error, .channel,
      summary: "input-push-channel is a channel ID as APNs returned it, in base64.",
      fix: "Use the ID from the apns-channel-id header.", source: Source.liveActivity),
    keyRule(
      "sound-empty", .warning, .blank,
      summary: "A sound has the name of a file, or is default.",
      fix: "Name a sound file of the app, use default, or omit the sound."),
    keyRule(
      "sound-path", .warning, .path,
      summary: "A sound is named without a path.",
      fix: "Use the file's name; iOS looks in the app's bundle and in Library/Sounds.",
      source: Source.sounds),
    keyRule(
      "sound-format", .warning, .soundFormat,
      summary: "A sound is in a format that iOS plays with a notification.",
      fix: "Convert it to .caf, .aiff or .wav; iOS plays its default sound instead.",
      source: Source.sounds),
    keyRule(
      "activity-type-name", .warning, .typeName,
      summary: "attributes-type is the name of a Swift type, without its module.",
      fix: "Use the name of the ActivityAttributes structure.", source: Source.liveActivity),
    keyRule(
      "key-null", .warning, .null,
      summary: "The value of an Apple key is not null.",
      fix: "Omit the key."),
    keyRule(
      "key-switch", .warning, .switch,
      summary: "A key that only turns something on has the one value that Apple documents.",
      fix: "Use that value, or omit the key."),
    keyRule(
      "key-epoch", .warning, .epoch,
      summary: "A date is counted from 1970, not from 2001 or from now.",
      fix: "Use seconds since 1970.", source: Source.liveActivity),
    keyRule(
      "key-for-type", .warning, .otherType,
      summary: "An Apple key is one that the push type uses.",
      fix: "Remove it, or change the push type."),
    keyRule(
      "key-for-event", .warning, .otherEvent,
      summary: "A key of a Live Activity is one that the event uses.",
      fix: "Remove it, or change the event.", source: Source.liveActivity),
    keyRule(
      "key-unknown", .warning, .unknown,
      summary: "aps and the objects in it contain only Apple's keys; APNs ignores others.",
      fix: "Move it next to aps if it is the app's own."),
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
