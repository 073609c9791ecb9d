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
      let message = "The payload is \(json.kind), not an object."
      return [payload.finding(PayloadPath(), json, message, fix: json.unquotedObjectFix)]
    },
    Rule(
      "aps-missing", .error, about: .payload,
      summary: "The payload has aps, unless its push type or Wallet does not need it.",
      fix: "Add \"aps\" with Apple's keys.", source: Source.payload
    ) { draft, context in
      guard let payload = draft.payload, let json = payload.json, json.object != nil,
        payload.aps == nil, needsAPS(draft, context)
      else { return [] }
      let mistake = MistakenPayload(payload)
      let message = mistake?.message ?? "The payload has no aps."
      return [payload.finding(PayloadPath(), json, message, fix: mistake?.fix)]
    },
    Rule(
      "aps-object", .error, about: .payload,
      summary: "aps is an object.",
      fix: "Write \"aps\": {…}.", source: Source.payload
    ) { draft, _ in
      guard let payload = draft.payload, let aps = payload.aps, aps.object == nil else {
        return []
      }
      let message = "aps is \(aps.kind), not an object."
      return [payload.finding(PayloadPath("aps"), aps, message, fix: aps.unquotedObjectFix)]
    },
    Rule(
      "wallet-payload", .warning, about: .payload, on: .device,
      summary: "A push to a Wallet pass or order has an empty object as its payload.",
      fix: "Send {}: Wallet then asks your web service for the update.", source: Source.wallet
    ) { draft, _ in
      guard draft.isForWallet, let payload = draft.payload, let root = payload.json?.object,
        let topic = draft[.topic]?.value,
        let member = root.members.first(where: { $0.key != "aps" || $0.value != [:] })
      else { return [] }
      let message = "\(printable(topic)) is a topic of Wallet, which shows nothing of a payload."
      return [payload.finding(PayloadPath(member.key), member.value, message)]
    },
    Rule(
      "payload-number", .warning, about: .payload,
      summary: "Every number is one that a double can hold, at most 1.8e308.",
      fix: "Write it as text; many parsers refuse such a number, and with it the payload.",
      source: Source.json
    ) { draft, _ in
      guard let payload = draft.payload, let json = payload.json else { return [] }
      return json.overflows(at: PayloadPath()).map { path, number in
        let text = printable(number.encodedString(.compact))
        return payload.finding(path, number, "The number \(text) is too large.")
      }
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
    return draft.pushTypeInfo?.needsAPS ?? false && !draft.isForWallet
  }
}

extension JSON {
  /// The fix for an object that was written as text; nil for any other value.
  fileprivate var unquotedObjectFix: String? {
    string.flatMap { try? JSONReader().read($0) }?.object.map { _ in
      "Write the object itself, without quotes around it."
    }
  }

  /// The numbers in it that no double can hold.
  fileprivate func overflows(at path: PayloadPath) -> [(PayloadPath, JSON)] {
    switch content {
    case .number(let number): number.double.isFinite ? [] : [(path, self)]
    case .array(let elements):
      elements.enumerated().flatMap { $1.overflows(at: path.index($0)) }
    case .object(let object):
      object.members.flatMap { $0.value.overflows(at: path.key($0.key)) }
    case .null, .bool, .string: []
    }
  }
}

extension RuleTable {
  /// The rules about placeholders, as written and when filled. Only a ``Template`` applies them:
  /// the filled text may contain braces like any other.
  static let templateRules: [Rule] = [
    templateRule(
      "placeholder-form", summary: "A placeholder is well formed.",
      fix: "Write {{name}}, {{name|number}} or {{name|default('text')}}."),
    templateRule(
      "placeholder-key", summary: "Placeholders are in values, not in keys.",
      fix: "Write out the key; a value can be a placeholder."),
    templateRule(
      "placeholder-unfilled", summary: "Every placeholder has a value.",
      fix: "Give it a value: a variable, a column of the list, or {{name|default('…')}}."),
    templateRule(
      "placeholder-value", summary: "A value fits where its placeholder is.",
      fix: "Correct the value."),
  ]

  /// Converts findings to problems with one of these rules.
  static func problems(_ findings: [Finding], of rule: String) -> [Problem] {
    templateRules.first { $0.identifier == rule }.map { rule in findings.map(rule.problem) } ?? []
  }

  private static func templateRule(_ identifier: String, summary: String, fix: String) -> Rule {
    Rule(
      identifier, .error, about: .template, summary: summary, fix: fix, source: Source.template,
      isForceable: false
    ) { _, _ in [] }
  }
}
