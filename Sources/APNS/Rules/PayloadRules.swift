import JSONText

extension RuleTable {
  /// The rules about the payload as a whole.
  static let payloadRules: [Rule] = [
    Rule(
      "payload-missing", .error, about: .payload,
      summary: "A notification has a payload.",
      fix: "Specify a payload file, or a title, a body or another part of one.",
      reason: .payloadEmpty, isForceable: false
    ) { draft, _ in
      guard let payload = draft.payload else {
        return [Finding(.payload(PayloadPath()), "The payload is missing.")]
      }
      return payload.bytes.isEmpty
        ? [payload.finding(PayloadPath(), "The payload is missing.")] : []
    },
    Rule(
      "payload-size", .error, about: .payload,
      summary: "The payload is within the limit of its push type, or of channels.",
      fix: "Shorten it, or have the app download the rest.", reason: .payloadTooLarge
    ) { draft, context in
      oversize(draft, context).map { [$0] } ?? []
    },
    Rule(
      "payload-object", .error, about: .payload,
      summary: "The payload is an object.",
      fix: "Write {\"aps\": {…}}.", source: Source.payload, isAnswerKnown: false
    ) { draft, _ in
      guard let payload = draft.payload, let json = payload.json, json.object == nil else {
        return []
      }
      return [payload.finding(PayloadPath(), json, "The payload is \(json.kind), not an object.")]
    },
    Rule(
      "aps-missing", .error, about: .payload,
      summary: "The payload has aps, unless its push type or a Wallet pass does not need it.",
      fix: "Add \"aps\" with Apple's keys.", source: Source.payload
    ) { draft, context in
      guard let payload = draft.payload, let json = payload.json, json.object != nil,
        payload.aps == nil, needsAPS(draft, context)
      else { return [] }
      let fix = MistakenPayload.fix(for: payload)
      return [payload.finding(PayloadPath(), json, "The payload has no aps.", fix: fix)]
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
  ]

  /// The maximum payload size in bytes.
  static func payloadLimit(
    of info: PushTypeInfo?, _ target: DraftTarget, _ context: RuleContext
  ) -> Int {
    switch context.audience {
    case .device: target.payloadLimit(of: info)
    case .simulator: PushType.usualPayloadLimit
    }
  }

  private static func oversize(_ draft: ExaminedDraft, _ context: RuleContext) -> Finding? {
    guard let payload = draft.payload else { return nil }
    let limit = payloadLimit(of: draft.limitingType, draft.target, context)
    let excess = payload.bytes.count - limit
    guard excess > 0 else { return nil }
    return payload.finding(
      PayloadPath(), "The payload is \(payload.bytes.count) bytes long; the limit is \(limit).",
      fix: "Shorten it by \(counted(excess, "byte")), or have the app download the rest.")
  }

  // A simulator ignores payloads without aps; an unknown push type does not require it.
  private static func needsAPS(_ draft: ExaminedDraft, _ context: RuleContext) -> Bool {
    if context.audience == .simulator { return true }
    return draft.pushTypeInfo?.needsAPS ?? false && !draft.isForPass
  }
}
