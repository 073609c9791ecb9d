import JSONText

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
      "key-ended", .warning, .ended,
      summary: "An Apple key is one that current systems still use.",
      fix: "Remove it, unless the app still runs on older systems."),
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

extension RuleTable {
  /// The rules about keys in places where APNs ignores them.
  static let strayKeyRules: [Rule] = [
    Rule(
      "key-misplaced", .warning, about: .payload,
      summary: "Apple's keys are inside aps.",
      fix: "Move it into aps, unless it is the app's own.", source: Source.payload
    ) { draft, _ in
      guard draft.pushTypeInfo?.needsAPS ?? true, let payload = draft.payload,
        let root = payload.json?.object
      else { return [] }
      let misplaced = root.members.filter { isAPSKey($0.key) && payload.aps?[$0.key] == nil }
      return misplaced.map {
        payload.finding(
          PayloadPath($0.key), at: keyPosition($0),
          "\($0.key) is next to aps, not inside it\(effects[$0.key].map { ": " + $0 } ?? "").",
          fix: effects[$0.key] == nil ? nil : loudFix(for: $0.key))
      }
    },
    Rule(
      "header-in-payload", .warning, about: .payload,
      summary: "Headers are not in the payload.",
      fix: "Set it as a header, with the option of that name.", source: Source.sending
    ) { draft, _ in
      guard let payload = draft.payload, let root = payload.json?.object else { return [] }
      let objects = root.members.filter { $0.key != "aps" }.flatMap {
        headerObjects(in: $0.value, at: PayloadPath($0.key))
      }.map {
        payload.finding($0.path, $0.value, "\($0.path) holds headers; APNs ignores them there.")
      }
      let beside = root.members.filter { isHeader($0.key) || isPriority($0) }
        .map { (PayloadPath(), $0) }
      let inside = (payload.aps?.object?.members ?? []).filter { isHeaderInAPS($0.key) }
        .map { (PayloadPath("aps"), $0) }
      return objects
        + (beside + inside).map { path, member in
          payload.finding(
            path.key(member.key), at: keyPosition(member),
            "\(printable(member.key)) is a header; APNs ignores it in the payload.")
        }
    },
  ]

  private static func keyPosition(_ member: JSONMember) -> JSONPosition? {
    member.keyPosition ?? member.value.position
  }

  // True for a key of Apple's. Words that an app may well use for itself do not count.
  private static func isAPSKey(_ key: String) -> Bool {
    guard PayloadKeyNode.aps.children[key] != nil else { return false }
    return effects[key] != nil || key.contains("-")
  }

  // The effect of placing one of Apple's keys next to `aps`.
  private static let effects = [
    "alert": "nothing is shown", "badge": "the badge does not change",
    "sound": "no sound is played",
  ]

  // The objects of the app's own that hold nothing but headers.
  private static func headerObjects(
    in value: JSON, at path: PayloadPath
  ) -> [(path: PayloadPath, value: JSON)] {
    guard let members = value.object?.members, !members.isEmpty else { return [] }
    let isNamed = path.steps.last == .key("headers")
    if members.allSatisfy({ isNamed ? isHeaderInAPS($0.key) : $0.key.hasPrefix("apns-") }) {
      return [(path, value)]
    }
    return members.flatMap { headerObjects(in: $0.value, at: path.key($0.key)) }
  }

  private static func loudFix(for key: String) -> String {
    "Write \"aps\": {\"\(key)\": …}, or give the app's own key another name."
  }

  private static let headerNames = ["push-type", "collapse-id"]
  private static let headerNamesInAPS = headerNames + ["priority", "topic", "expiration"]

  private static func isHeader(_ key: String) -> Bool {
    key.hasPrefix("apns-") || headerNames.contains(key)
  }

  private static func isHeaderInAPS(_ key: String) -> Bool {
    key.hasPrefix("apns-") || headerNamesInAPS.contains(key)
  }

  /// True if a member of `aps` is reported by another rule here.
  static func isHeader(_ member: AppleMember) -> Bool {
    member.parent === PayloadKeyNode.aps && isHeaderInAPS(member.member.key)
  }

  // An app may use this key for itself, so only APNs' own numbers are taken for its priority.
  private static func isPriority(_ member: JSONMember) -> Bool {
    guard member.key == "priority" else { return false }
    let text = member.value.string ?? member.value.number?.text ?? ""
    return Priority(text) != nil
  }
}
