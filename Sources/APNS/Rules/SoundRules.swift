import JSONText

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
      summary: "A critical alert has a critical sound, and a critical sound a critical alert.",
      fix: "Write \"interruption-level\": \"critical\" and \"critical\": 1 in sound, or neither.",
      source: Source.payload
    ) { draft, _ in
      guard let parts = draft.apsParts, let sound = parts.aps["sound"],
        let level = parts.aps["interruption-level"]?.string
      else { return [] }
      let key = "interruption-level"
      switch (level == "critical", isCritical(sound)) {
      case (true, false):
        return [parts.finding("sound", sound, "The alert is critical, but its sound is not.")]
      case (false, true):
        let message = "The sound is critical, but \(key) is \(quoted(level))."
        return [parts.finding(key, parts.aps[key], message)]
      default: return []
      }
    },
  ]

  // `true` is the wrong type, but the intention is clear.
  private static func isCritical(_ sound: JSON) -> Bool {
    sound["critical"]?.number?.double == 1 || sound["critical"]?.bool == true
  }
}
