import JSONText

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
      let beside = root.members.filter { isHeader($0.key) || isPriority($0) }
        .map { (PayloadPath(), $0) }
      let inside = (payload.aps?.object?.members ?? []).filter { isHeaderInAPS($0.key) }
        .map { (PayloadPath("aps"), $0) }
      return (beside + inside).map { path, member in
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
