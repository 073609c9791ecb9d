extension RuleTable {
  /// The rules about the topic, by itself and for the push type.
  static let topicRules: [Rule] = [
    Rule(
      "topic-missing", .error, about: .header(.topic),
      summary: "A notification has a topic.",
      fix: "Specify the app's bundle ID or the topic.", reason: .missingTopic
    ) { draft, _ in
      let isMissing = draft[.topic]?.value.isEmpty ?? true
      return isMissing ? [Finding(missing: .topic, "The topic is missing.")] : []
    },
    Rule(
      "topic-form", .error, about: .header(.topic),
      summary: "A topic consists of letters, digits, -, _ and single dots.",
      fix: "Use the bundle ID as Xcode shows it, plus the push type's suffix.",
      reason: .badTopic
    ) { draft, _ in
      draft[.topic].flatMap(malformedTopic).map { [$0] } ?? []
    },
    Rule(
      "topic-suffix-missing", .error, about: .header(.topic),
      summary: "The topic ends with its push type's suffix.",
      fix: "Add the suffix, or give the bundle ID and let fanfare add it.",
      reason: .topicDisallowed
    ) { draft, _ in
      suffixes(of: draft).flatMap { field, info in
        field.value.ends(in: info.suffix)
          ? []
          : [
            Finding(
              field, "The topic of a push of type \(info.type) ends with \(info.suffix).",
              fix: "Use the topic \(bundle(field.value) + info.suffix).")
          ]
      }
    },
    Rule(
      "topic-suffix-twice", .error, about: .header(.topic),
      summary: "The topic has its push type's suffix only once.",
      fix: "Remove one of them.", reason: .topicDisallowed
    ) { draft, _ in
      suffixes(of: draft).flatMap { $1.mayRepeatSuffix ? [] : repeatedSuffix($0, $1) }
    },
    Rule(
      "topic-suffix-perhaps-twice", .warning, about: .header(.topic),
      summary: "The topic has a suffix that is also a common word only once.",
      fix: "Remove one of them, unless the app's bundle ID ends with it."
    ) { draft, _ in
      suffixes(of: draft).flatMap { $1.mayRepeatSuffix ? repeatedSuffix($0, $1) : [] }
    },
    Rule(
      "topic-of-other-type", .error, about: .header(.topic),
      summary: "The topic does not end with another push type's suffix.",
      fix: "Change the push type or the topic.", reason: .invalidPushType
    ) { draft, _ in
      foreignSuffix(in: draft) { !$0.suffixIsCommonWord }
    },
    Rule(
      "topic-perhaps-of-other-type", .warning, about: .header(.topic),
      summary: "The topic does not end with a common word that is another push type's suffix.",
      fix: "Change the push type or the topic, unless the app's bundle ID ends with it.",
      reason: .invalidPushType
    ) { draft, _ in
      foreignSuffix(in: draft) { $0.suffixIsCommonWord }
    },
    Rule(
      "topic-team-id", .error, about: .header(.topic),
      summary: "The topic does not begin with a team ID.",
      fix: "Use the bundle ID as Xcode shows it, without the team ID.", reason: .topicDisallowed
    ) { draft, _ in
      draft[.topic].flatMap(teamID).map { [$0] } ?? []
    },
    Rule(
      "topic-for-mdm", .warning, about: .header(.topic),
      summary: "Pushes of type \(PushType.mdm), and no others, have a topic com.apple.mgmt.….",
      fix: "Use push type \(PushType.mdm) and the topic that the device sent when it enrolled.",
      source: Source.mdm
    ) { draft, _ in
      guard let field = draft[.topic], draft.hasReadableTopic, let type = draft.knownType else {
        return []
      }
      switch (type == .mdm, Topic.isOfManagement(field.value)) {
      case (true, false):
        return [Finding(field, "\(printable(field.value)) is not a topic of device management.")]
      case (false, true):
        let message = "\(printable(field.value)) is for device management, not for type \(type)."
        return [Finding(field, message)]
      default: return []
      }
    },
    Rule(
      "topic-without-dot", .warning, about: .header(.topic),
      summary: "The topic has a dot, as bundle IDs do.",
      fix: "Use the bundle ID as Xcode shows it, such as com.example.app, not the app's name."
    ) { draft, _ in
      guard let field = draft[.topic], draft.hasReadableTopic, !startsWithTeamID(field.value),
        !bundle(field.value).utf8.contains(UInt8(ascii: "."))
      else { return [] }
      return [Finding(field, "There is no dot in \(bundle(field.value)).")]
    },
  ]

  private static func teamID(_ field: DraftField) -> Finding? {
    guard startsWithTeamID(field.value) else { return nil }
    let rest = field.value.dropFirst(11)
    let isBare = bundle(field.value).utf8.count == 10
    return isBare
      ? Finding(field, "\(field.value.prefix(10)) is a team ID, not a bundle ID.")
      : Finding(
        field, "\(field.value.prefix(10)) at the start of the topic is a team ID.",
        fix: "Use \(printable(rest)).")
  }

  /// Returns true if text up to a dot is ten uppercase letters and digits, with some of each.
  static func startsWithTeamID(_ topic: String) -> Bool {
    let start = topic.utf8.prefix { $0 != UInt8(ascii: ".") }
    let digits = start.count { $0 &- 0x30 < 10 }
    let capitals = start.count { $0 &- 0x41 < 26 }
    return start.count == 10 && digits + capitals == 10 && digits > 0 && capitals > 0
  }

  private static func malformedTopic(_ field: DraftField) -> Finding? {
    malformation(of: field.value, called: "topic").map { Finding(field, $0.message, fix: $0.fix) }
  }

  /// The problem with the form of a topic or a bundle ID, and the fix; nil if there is none. Empty
  /// text has its own rule.
  static func malformation(
    of text: String, called name: String
  ) -> (message: String, fix: String?)? {
    guard !text.isEmpty else { return nil }
    do throws(TopicError) {
      try TopicError.check(text)
      return nil
    } catch {
      return ("The \(name) \(error.fault).", bare(text).map { "Use \($0)." })
    }
  }

  // The topic without decoration from pasting; nil if that is not valid either.
  private static func bare(_ topic: String) -> String? {
    let bare = topic.filter { !"<>\"'“”".contains($0) && !$0.isWhitespace }
    return (try? Topic(bare))?.text
  }

  // The topic and its push type, if both are valid and the type has a suffix.
  private static func suffixes(of draft: ExaminedDraft) -> [(DraftField, PushTypeInfo)] {
    guard let info = draft.pushTypeInfo, !info.suffix.isEmpty, draft.hasReadableTopic,
      let field = draft[.topic]
    else { return [] }
    return [(field, info)]
  }

  private static func repeatedSuffix(_ field: DraftField, _ info: PushTypeInfo) -> [Finding] {
    guard field.value.ends(in: info.suffix), field.value.ends(in: info.suffix + info.suffix) else {
      return []
    }
    return [Finding(field, "The topic ends with \(info.suffix) twice.")]
  }

  private static func foreignSuffix(
    in draft: ExaminedDraft, where isMeant: (PushTypeInfo) -> Bool
  ) -> [Finding] {
    guard let other = draft.topicSuffixOwner, let info = draft.pushTypeInfo,
      other.type != info.type, isMeant(other), let field = draft[.topic]
    else { return [] }
    return [
      Finding(
        field, "\(other.suffix) is the suffix of push type \(other.type), not \(info.type).")
    ]
  }

  private static func bundle(_ topic: String) -> String {
    let suffix = PushType.owner(ofSuffixIn: topic)?.suffix ?? ""
    return printable(topic.dropLast(suffix.count))
  }
}

extension PushTypeInfo {
  /// True if an app's bundle ID may itself end in the suffix.
  fileprivate var mayRepeatSuffix: Bool { suffixIsCommonWord && type != .voip }
}
