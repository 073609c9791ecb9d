import JSONText

extension RuleTable {
  /// The payload as a whole, and against the push type.
  static let payloadRules: [Rule] = [
    Rule(
      "payload-missing", .error, about: .payload,
      summary: "A notification has a payload.",
      fix: "Give a payload file, or a title, a body or another part of one.",
      reason: .payloadEmpty
    ) { draft, _ in
      let isMissing = draft.payload?.bytes.isEmpty ?? true
      return isMissing ? [Finding(.payload(PayloadPath()), "There is no payload.")] : []
    },
    Rule(
      "payload-size", .error, about: .payload,
      summary: "The payload is no longer than its push type allows.",
      fix: "Shorten it, or let the app fetch the rest.", reason: .payloadTooLarge
    ) { draft, context in
      oversize(draft, context).map { [$0] } ?? []
    },
    Rule(
      "payload-json", .error, about: .payload,
      summary: "The payload is JSON.",
      fix: "Correct the text at that place.", source: Source.payload
    ) { draft, _ in
      guard let payload = draft.payload, !payload.bytes.isEmpty,
        case .failure(let error) = payload.reading
      else { return [] }
      return [payload.finding(PayloadPath(), at: error.position, error.message)]
    },
    Rule(
      "payload-object", .error, about: .payload,
      summary: "The payload is an object.",
      fix: "Write {\"aps\": {…}}.", source: Source.payload
    ) { draft, _ in
      guard let payload = draft.payload, let json = payload.json, json.object == nil else {
        return []
      }
      return [payload.finding(PayloadPath(), json, "The payload is \(json.kind), not an object.")]
    },
    Rule(
      "aps-missing", .error, about: .payload,
      summary: "The payload has aps, unless its push type needs none.",
      fix: "Add \"aps\" with what Apple's systems are to do.", source: Source.payload
    ) { draft, context in
      guard let payload = draft.payload, let json = payload.json, json.object != nil,
        payload.aps == nil, needsAPS(draft, context)
      else { return [] }
      return [payload.finding(PayloadPath(), json, "The payload has no aps.")]
    },
    Rule(
      "aps-object", .error, about: .payload,
      summary: "aps is an object.",
      fix: "Write \"aps\": {…}.", source: Source.payload
    ) { draft, _ in
      guard let payload = draft.payload, let aps = payload.aps, aps.object == nil else {
        return []
      }
      return [payload.finding(PayloadPath("aps"), aps, "aps is \(aps.kind), not an object.")]
    },
    Rule(
      "background-content-available", .error, about: .payload,
      summary: "A background push has content-available 1.",
      fix: "Write \"aps\": {\"content-available\": 1}.", source: Source.background
    ) { draft, _ in
      guard let (payload, aps) = backgroundAPS(of: draft) else { return [] }
      let value = aps["content-available"]
      if value?.number?.double == 1 { return [] }
      let path = PayloadPath("aps", "content-available")
      let state = value == nil ? "is absent" : "is not 1"
      return [payload.finding(path, value ?? aps, "content-available \(state).")]
    },
    Rule(
      "background-silent", .error, about: .payload,
      summary: "A background push shows, plays and marks nothing.",
      fix: "Remove the key, or send it with type alert.", source: Source.background
    ) { draft, _ in
      guard let (payload, aps) = backgroundAPS(of: draft) else { return [] }
      return ["alert", "badge", "sound"].compactMap { key in
        aps[key].map {
          payload.finding(PayloadPath("aps", key), $0, "A background push must not have \(key).")
        }
      }
    },
    Rule(
      "mdm-only", .error, about: .payload,
      summary: "An mdm payload holds the key mdm with a text, and nothing else.",
      fix: "Write {\"mdm\": \"…\"} with the PushMagic that the device sent.", source: Source.mdm
    ) { draft, _ in
      guard draft.pushTypeInfo?.type == .mdm, let payload = draft.payload,
        let root = payload.json?.object
      else { return [] }
      return mdmFindings(payload, root)
    },
  ]

  private static func oversize(_ draft: Draft, _ context: RuleContext) -> Finding? {
    guard let payload = draft.payload else { return nil }
    let info = context.audience == .device ? draft.pushTypeInfo : nil
    let limit = info?.payloadLimit ?? PushType.usualPayloadLimit
    let excess = payload.bytes.count - limit
    guard excess > 0 else { return nil }
    return payload.finding(
      PayloadPath(), "The payload is \(payload.bytes.count) bytes long; the limit is \(limit).",
      fix: "Shorten it by \(counted(excess, "byte")), or let the app fetch the rest.")
  }

  // A simulator takes nothing without aps; a type that cannot be read says nothing.
  private static func needsAPS(_ draft: Draft, _ context: RuleContext) -> Bool {
    context.audience == .simulator || draft.pushTypeInfo?.needsAPS ?? false
  }

  private static func backgroundAPS(of draft: Draft) -> (DraftPayload, JSON)? {
    guard draft.pushTypeInfo?.type == .background, let payload = draft.payload,
      let aps = payload.aps, aps.object != nil
    else { return nil }
    return (payload, aps)
  }

  private static func mdmFindings(_ payload: DraftPayload, _ root: JSONObject) -> [Finding] {
    let others = root.members.filter { $0.key != "mdm" }.map { member in
      payload.finding(
        PayloadPath(member.key), at: member.keyPosition ?? member.value.position,
        "An mdm payload must not have \(quoted(member.key)).")
    }
    guard root["mdm"]?.string == nil else { return others }
    return [payload.finding(PayloadPath("mdm"), root["mdm"], "mdm is not a text.")] + others
  }
}
