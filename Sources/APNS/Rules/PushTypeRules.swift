import JSONText
import PlainText

extension RuleTable {
  /// The rules about the push type, by itself and for the credentials.
  static let pushTypeRules: [Rule] = [
    Rule(
      "push-type-missing", .error, about: .header(.pushType), on: .device,
      summary: "A notification has a push type.",
      fix: "Specify the push type: \(alternatives(PushType.table.map(\.type.rawValue)))."
    ) { draft, _ in
      let isMissing = draft[.pushType]?.value.isEmpty ?? true
      // It may be possible to infer it once the payload is readable.
      let isUntold = draft.payload.map { $0.json?.object == nil } ?? false
      if !isMissing || isUntold { return [] }
      let mistake = MistakenPayload(draft.payload)
      let message = mistake?.message ?? "The push type is missing."
      return [Finding(missing: .pushType, message, fix: mistake?.fix)]
    },
    Rule(
      "push-type-unknown", .error, about: .header(.pushType), on: .device,
      summary: "The push type is one that APNs defines.",
      fix: "Use one of \(alternatives(PushType.table.map(\.type.rawValue))).",
      reason: .invalidPushType
    ) { draft, _ in
      unknownType(of: draft).map {
        [Finding($0, "Unknown push type \(quoted($0.value)).", fix: suggestion(for: $0.value))]
      } ?? []
    },
    Rule(
      "authentication-for-type", .error, about: .header(.pushType), on: .device,
      summary: "The push type can be sent with the credentials in use.",
      fix: "Use the other kind of credentials.", reason: .topicDisallowed
    ) { draft, context in
      guard let info = draft.pushTypeInfo, let field = draft[.pushType],
        let authentication = context.authentication, !info.authentication.contains(authentication)
      else { return [] }
      return [Finding(field, "\(info.type) cannot be sent with \(name(authentication)).")]
    },
    Rule(
      "authentication-doubtful", .warning, about: .header(.pushType), on: .device,
      summary: "The push type is not one that may need the other kind of credentials.",
      fix: "Send it with a signing key.",
      source: """
        Apple staff: forums 712499, and WWDC23 session 10185 (tokens only); \(Source.sending) (the \
        topics of certificates)
        """
    ) { draft, context in
      guard let info = draft.pushTypeInfo, let field = draft[.pushType],
        let authentication = context.authentication,
        info.doubtfulAuthentication.contains(authentication)
      else { return [] }
      return [Finding(field, "APNs may not take \(info.type) with \(name(authentication)).")]
    },
  ]

  private static func unknownType(of draft: ExaminedDraft) -> DraftField? {
    guard let field = draft[.pushType], !field.value.isEmpty, draft.pushTypeInfo == nil else {
      return nil
    }
    return field
  }

  private static func suggestion(for text: String) -> String? {
    let text = text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    let near = Suggestion.near(text, among: PushType.table.map(\.type.rawValue)).first
    return near.map { "Did you mean \($0)?" }
  }

  private static func name(_ authentication: Authentication) -> String {
    switch authentication {
    case .token: "a provider token"
    case .certificate: "a client certificate"
    }
  }
}

extension RuleTable {
  /// The rules about the payload for each push type, except for alerts and Live Activities.
  static let pushTypePayloadRules: [Rule] = [
    Rule(
      "background-content-available", .error, about: .payload,
      summary: "A background push has content-available 1.",
      fix: "Write \"aps\": {\"content-available\": 1}.", source: Source.background
    ) { draft, _ in
      guard let parts = parts(of: draft, about: PayloadKey.contentAvailable), !draft.isForWallet
      else { return [] }
      let value = parts.aps["content-available"]
      if value?.number?.double == 1 { return [] }
      let state = value == nil ? "is missing" : "is not 1"
      return [parts.missing("content-available", "content-available \(state).")]
    },
    Rule(
      "background-silent", .error, about: .payload,
      summary: "A background push has no alert, badge or sound.",
      fix: "Remove the key, or use type alert.", source: Source.background
    ) { draft, _ in
      guard let parts = parts(of: draft, about: PayloadKey.contentAvailable) else { return [] }
      return loudKeys.compactMap { key in
        parts.aps[key].map { parts.finding(key, $0, "A background push must not have \(key).") }
      }
    },
    Rule(
      "background-only", .warning, about: .payload,
      summary: "In a background push, aps contains only content-available.",
      fix: "Remove the key.", source: Source.background
    ) { draft, _ in
      guard let parts = parts(of: draft, about: PayloadKey.contentAvailable) else { return [] }
      return knownKeys(of: parts, besides: ["content-available"] + loudKeys)
    },
    Rule(
      "content-changed", .error, about: .payload,
      summary: "A push of type \(reloadTypes) has content-changed true.",
      fix: "Write \"aps\": {\"content-changed\": true}; 1 is not true.", source: Source.widgets
    ) { draft, _ in
      guard let parts = parts(of: draft, about: PayloadKey.contentChanged) else {
        return []
      }
      let value = parts.aps["content-changed"]
      if value?.bool == true { return [] }
      let state = value == nil ? "is missing" : "is not true"
      return [parts.missing("content-changed", "content-changed \(state).")]
    },
    Rule(
      "content-changed-only", .warning, about: .payload,
      summary: "In a push of type \(reloadTypes), aps contains only content-changed.",
      fix: "Remove the key.", source: Source.widgets
    ) { draft, _ in
      guard let parts = parts(of: draft, about: PayloadKey.contentChanged) else {
        return []
      }
      return knownKeys(of: parts, besides: ["content-changed"])
    },
    Rule(
      "mdm-only", .error, about: .payload,
      summary: "An mdm payload contains only the key mdm, with text.",
      fix: "Write {\"mdm\": \"…\"} with the PushMagic that the device sent.", source: Source.mdm
    ) { draft, _ in
      guard let (payload, root) = root(of: draft, .mdm) else { return [] }
      return mdmFindings(payload, root)
    },
    Rule(
      "fileprovider-container", .error, about: .payload,
      summary: "A File Provider push names the container that changed.",
      fix: "Add \"container-identifier\" next to aps.", source: Source.fileProvider
    ) { draft, _ in
      guard let (payload, root) = root(of: draft, .fileprovider),
        root["container-identifier"] == nil
      else { return [] }
      let path = PayloadPath("container-identifier")
      return [payload.finding(path, payload.json, "container-identifier is missing.")]
    },
    Rule(
      "fileprovider-domain", .warning, about: .payload,
      summary: "A File Provider push names the domain of the container.",
      fix: "Add \"domain\" next to container-identifier, unless the extension has no domains.",
      source: Source.fileProvider
    ) { draft, _ in
      guard let (payload, root) = root(of: draft, .fileprovider), root["domain"] == nil else {
        return []
      }
      return [payload.finding(PayloadPath("domain"), payload.json, "domain is missing.")]
    },
  ]

  private static let reloadTypes = alternatives(
    PushType.types(about: PayloadKey.contentChanged).map(\.rawValue))

  private static let loudKeys = ["alert", "badge", "sound"]

  // The payload of a push whose defining key is this key of `aps`.
  private static func parts(of draft: ExaminedDraft, about key: String) -> APSParts? {
    draft.pushTypeInfo?.ownKey == key ? draft.apsParts : nil
  }

  private static func root(of draft: ExaminedDraft, _ type: PushType) -> (DraftPayload, JSONObject)?
  {
    guard draft.knownType == type, let payload = draft.payload,
      let root = payload.json?.object
    else { return nil }
    return (payload, root)
  }

  // Finds keys that do not belong. Keys used only by other push types are left to a separate rule.
  private static func knownKeys(of parts: APSParts, besides allowed: [String]) -> [Finding] {
    parts.aps.members.compactMap { member in
      guard !allowed.contains(member.key),
        PayloadKeyNode.aps.children[member.key]?.key.types.isEmpty == true
      else { return nil }
      let message = "aps has \(member.key) in addition to \(allowed[0])."
      return parts.finding(member.key, member.value, message)
    }
  }

  private static func mdmFindings(_ payload: DraftPayload, _ root: JSONObject) -> [Finding] {
    let others = root.members.filter { $0.key != "mdm" }.map { member in
      payload.finding(
        PayloadPath(member.key), at: member.keyPosition ?? member.value.position,
        "An mdm payload must not have \(quoted(member.key)).")
    }
    guard root["mdm"]?.string == nil else { return others }
    return [payload.finding(PayloadPath("mdm"), root["mdm"], "mdm is not text.")] + others
  }
}
