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
    return draft.pushTypeInfo?.needsAPS ?? false && !draft.isForPass
  }
}

extension JSON {
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

/// Recognizes payloads in which APNs finds nothing because of a common mistake.
enum MistakenPayload {
  /// The fix for the payload; nil if it does not look like a known mistake.
  static func fix(for payload: DraftPayload?) -> String? {
    guard let root = payload?.json?.object else { return nil }
    if let aps = root["aps"] { return alertFix(for: aps) }
    return caseFix(for: root) ?? firebaseFix(for: root) ?? bareFix(for: root)
  }

  // {"aps": {"title": …}}
  private static func alertFix(for aps: JSON) -> String? {
    let known = aps.object?.keys.filter(alertKeys.contains) ?? []
    guard aps["alert"] == nil, !known.isEmpty else { return nil }
    let members = known.map { "\"\($0)\": …" }.joined(separator: ", ")
    return "Write \"aps\": {\"alert\": {\(members)}}."
  }

  // {"APS": {…}}
  private static func caseFix(for root: JSONObject) -> String? {
    root.keys.first { $0.lowercased() == "aps" }.map {
      "Rename \"\($0)\" to \"aps\"; keys are case-sensitive."
    }
  }

  // {"notification": {…}} and {"message": {"token": …}}
  private static func firebaseFix(for root: JSONObject) -> String? {
    let message = root[wrapper]?.object
    if message?["apns"]?["payload"]?.object != nil {
      return "This is a message for Firebase (FCM); send only its message.apns.payload."
    }
    guard
      root["notification"]?.object != nil
        || message?.keys.contains(where: firebaseKeys.contains) ?? false
    else { return nil }
    return
      "This is a message for Firebase (FCM); write {\"aps\": {\"alert\": {\"title\": …, \"body\": …}}}."
  }

  // {"alert": …}
  private static func bareFix(for root: JSONObject) -> String? {
    let bare = root.keys.filter { PayloadKeyNode.aps.children[$0] != nil }
    guard bare.contains(where: loudKeys.contains) else { return nil }
    let members = bare.map { "\"\($0)\": …" }.joined(separator: ", ")
    return "Write {\"aps\": {\(members)}}; APNs looks only inside aps."
  }

  /// The key that wraps a message to FCM, whose value is examined.
  static let wrapper = "message"

  private static let loudKeys = ["alert", "badge", "sound"]
  private static let firebaseKeys = ["token", "topic", "condition", "notification", "android"]
  private static let alertKeys = Set(
    PayloadKeyNode.aps.children["alert"]?.children.keys ?? [:].keys)
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
