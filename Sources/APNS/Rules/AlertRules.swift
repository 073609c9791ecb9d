import JSONText

extension RuleTable {
  /// The rules about the contents of an alert.
  static let alertRules: [Rule] = [
    Rule(
      "alert-content", .error, about: .payload,
      summary: "A push of type alert has an alert, a badge or a sound.",
      fix: "Add one of them, or use type background.", source: Source.sending
    ) { draft, _ in
      guard let parts = draft.apsParts, draft.knownType == .alert, !draft.isForWallet,
        !["alert", "badge", "sound"].contains(where: parts.has)
      else { return [] }
      let fix = MistakenPayload(parts.payload)?.fix
      return [parts.missing("alert", "The push has no alert, badge or sound.", fix: fix)]
    },
    Rule(
      "alert-empty", .warning, about: .payload,
      summary: "An alert has text to show.",
      fix: "Add a title or a body, or omit the alert.", source: Source.payload
    ) { draft, _ in
      guard let parts = draft.apsParts, let alert = parts.aps["alert"], isEmpty(alert) else {
        return []
      }
      return [parts.finding("alert", alert, "The alert has no title, subtitle or body.")]
    },
    Rule(
      "alert-blank", .warning, about: .payload,
      summary: "No text and no localization key of an alert is empty.",
      fix: "Add the text, or omit the key.", source: Source.payload
    ) { draft, _ in
      guard let parts = draft.apsParts, let alert = parts.aps["alert"]?.object else { return [] }
      return alertTexts.flatMap { blanks(of: $0, in: alert) }.map { path, value in
        parts.payload.finding(path, value, "\(path) is empty.")
      }
    },
    Rule(
      "alert-text-twice", .warning, about: .payload,
      summary: "A text beside its localization key may show only if the key has no translation.",
      fix: "Keep both if the text is the fallback, or remove the key.",
      source: "\(Source.payload) (instead of the text); iOS 26.1 (the text is the fallback)"
    ) { draft, _ in
      alertFindings(in: draft) { alert, text in
        guard alert[text.plain] != nil, alert[text.key] != nil else { return nil }
        return (
          text.key, "\(text.plain) may show only if \(text.key) has no translation in the app."
        )
      }
    },
    Rule(
      "alert-arguments", .warning, about: .payload,
      summary: "Localization arguments come with their localization key.",
      fix: "Add the key, or remove the arguments.", source: Source.payload
    ) { draft, _ in
      alertFindings(in: draft) { alert, text in
        guard alert[text.arguments] != nil, alert[text.key] == nil else { return nil }
        return (text.arguments, "The alert has \(text.arguments) without \(text.key).")
      }
    },
    Rule(
      "alert-text-object", .error, about: .payload,
      summary: "The title and the body of an alert are text, except in a Live Activity.",
      fix: "Use title-loc-key and title-loc-args, or loc-key and loc-args.",
      source: Source.payload
    ) { draft, _ in
      guard let type = draft.knownType, type != .liveactivity else { return [] }
      return alertFindings(in: draft) { alert, text in
        guard text.plain != "subtitle", alert[text.plain]?.object != nil else { return nil }
        return (text.plain, "The \(text.plain) is an object; only a Live Activity allows that.")
      }
    },
    Rule(
      "alert-for-extension", .warning, about: .payload,
      summary: "mutable-content comes with an alert; without one, no extension runs.",
      fix: "Add an alert, or remove mutable-content.", source: Source.payload
    ) { draft, _ in
      guard let parts = draft.apsParts, draft.knownType == .alert,
        let value = parts.aps["mutable-content"], !parts.has("alert")
      else { return [] }
      return [
        parts.finding("mutable-content", value, "There is no alert for the extension to change.")
      ]
    },
  ]

  /// The three keys of one text of an alert.
  private struct AlertTextKeys {
    let plain: String
    let key: String
    var arguments: String { key.dropLast(3) + "args" }
  }

  private static let alertTexts = [
    AlertTextKeys(plain: "title", key: "title-loc-key"),
    AlertTextKeys(plain: "subtitle", key: "subtitle-loc-key"),
    AlertTextKeys(plain: "body", key: "loc-key"),
  ]

  // Applies a check to each text of an alert. It returns the key to point at, and the message.
  private static func alertFindings(
    in draft: ExaminedDraft, _ fault: (JSONObject, AlertTextKeys) -> (String, String)?
  ) -> [Finding] {
    guard let parts = draft.apsParts, let alert = parts.aps["alert"]?.object else { return [] }
    return alertTexts.compactMap { text in
      fault(alert, text).map { key, message in
        parts.payload.finding(PayloadPath("aps", "alert", key), alert[key], message)
      }
    }
  }

  // The paths at which a text or its localization key is present but blank; in a Live Activity the
  // key is inside the text.
  private static func blanks(
    of text: AlertTextKeys, in alert: JSONObject
  ) -> [(PayloadPath, JSON?)] {
    let path = PayloadPath("aps", "alert")
    let values = [
      (path.key(text.plain), alert[text.plain]), (path.key(text.key), alert[text.key]),
      (path.key(text.plain).key("loc-key"), alert[text.plain]?["loc-key"]),
    ]
    return values.filter { $0.1?.string?.isBlank ?? false }
  }

  private static func isEmpty(_ alert: JSON) -> Bool {
    switch alert.content {
    case .string(let text): text.isBlank
    case .object(let object):
      !alertTexts.contains { object[$0.plain] != nil || object[$0.key] != nil }
    default: false
    }
  }
}

extension RuleTable {
  /// The rules about critical alerts. The rules about keys check the names of sounds.
  static let soundRules: [Rule] = [
    Rule(
      "critical-name", .warning, about: .payload,
      summary: "The sound of a critical alert has a name.",
      fix: "Add \"name\": \"default\", or the name of a sound file.", source: Source.payload
    ) { draft, _ in
      guard let parts = draft.apsParts, let sound = parts.aps["sound"], isCritical(sound),
        sound["name"] == nil
      else { return [] }
      let path = PayloadPath("aps", "sound", "name")
      return [parts.payload.finding(path, sound, "The critical sound has no name.")]
    },
    Rule(
      "critical-level", .warning, about: .payload,
      summary: "An alert with a critical sound has no other interruption-level than critical.",
      fix: "Write \"interruption-level\": \"critical\", or remove \"critical\" from the sound.",
      source: Source.payload
    ) { draft, _ in
      let key = "interruption-level"
      guard let parts = draft.apsParts, let sound = parts.aps["sound"], isCritical(sound),
        let level = parts.aps[key]?.string, level != "critical"
      else { return [] }
      let message = "The sound is critical, but \(key) is \(quoted(level))."
      return [parts.finding(key, parts.aps[key], message)]
    },
  ]

  // `true` is the wrong type, but the intention is clear.
  private static func isCritical(_ sound: JSON) -> Bool {
    sound["critical"]?.number?.double == 1 || sound["critical"]?.bool == true
  }
}
