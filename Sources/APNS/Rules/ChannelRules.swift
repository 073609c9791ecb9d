import JSONText

extension RuleTable {
  /// The additional rules for a push to a channel. The order of those with a reason is the one
  /// reported for APNs (kylebrowning/APNSwift#254); Apple documents none.
  static let channelRules: [Rule] =
    channelIDRules + bundleIDRules + [
      Rule(
        "channel-push-type-missing", .error, about: .header(.pushType), on: .broadcast,
        summary: "A push to a channel has a push type.", fix: "Use \(PushType.liveactivity).",
        source: Source.broadcast, reason: .missingPushType
      ) { draft, _ in
        draft[.pushType]?.value.isEmpty ?? true
          ? [Finding(missing: .pushType, "The push type is missing.")] : []
      },
      Rule(
        "channel-push-type", .error, about: .header(.pushType), on: .broadcast,
        summary: "A push to a channel is of type \(PushType.liveactivity).",
        fix: "Use \(PushType.liveactivity), or send the push to devices.",
        source: Source.broadcast, reason: .invalidPushType
      ) { draft, _ in
        guard let field = draft[.pushType], !field.value.isEmpty, draft.knownType != .liveactivity
        else { return [] }
        return [Finding(field, "A channel takes no push of type \(quoted(field.value)).")]
      },
      Rule(
        "channel-topic", .error, about: .header(.topic), on: .broadcast,
        summary: "A push to a channel has no topic: its path names the app.",
        fix: "Remove the topic, and specify the app's bundle ID.", source: Source.broadcast
      ) { draft, _ in
        draft[.topic].map { [Finding($0, "A push to a channel has no topic.")] } ?? []
      },
      Rule(
        "header-for-channel", .warning, about: .headers, on: .broadcast,
        summary: "A push to a channel has no headers of pushes to devices or of responses.",
        fix: "Remove the header; APNs ignores it.", source: Source.broadcast
      ) { draft, _ in
        draft.fields.compactMap { field in
          guard field.name != HeaderName.topic.text, let info = HeaderTable.info(field.name),
            info.scope == .device
          else { return nil }
          return Finding(field, "\(info.name) is not for pushes to a channel.")
        }
      },
      Rule(
        "channel-expiration-missing", .error, about: .header(.expiration), on: .broadcast,
        summary: "A push to a channel has an expiration.",
        fix: "Use 0, or a date if the channel stores its latest push.",
        source: Source.broadcast, reason: .badExpirationDate
      ) { draft, _ in
        draft[.expiration] == nil
          ? [Finding(missing: .expiration, "The expiration is missing.")] : []
      },
      storageRule(
        "channel-storage", .error, of: .known(.nothing),
        summary: "The expiration is 0 for a channel that stores nothing.",
        fix: "Use 0, or create a channel that stores its latest push.",
        reason: .badExpirationDate, message: "The channel stores nothing, so nothing can expire."),
      storageRule(
        "channel-storage-unknown", .warning, of: .unknown,
        summary: "The expiration is 0 unless the channel is known to store its latest push.",
        fix: "Use 0, unless the channel is known to store.",
        message: "What the channel stores is not known; if nothing, APNs refuses the push."),
      Rule(
        "channel-priority-missing", .error, about: .header(.priority), on: .broadcast,
        summary: "A push to a channel has a priority: APNs assumes none.",
        fix: "Use \(Priority.immediate) or \(Priority.powerAware).",
        source: Source.broadcast, reason: .badPriority
      ) { draft, _ in
        draft[.priority] == nil ? [Finding(missing: .priority, "The priority is missing.")] : []
      },
      Rule(
        "channel-start", .error, about: .payload, on: .broadcast,
        summary: "A push to a channel updates or ends Live Activities; it cannot start one.",
        fix: "Send the start to devices, with the channel's ID in aps.input-push-channel.",
        source: Source.liveActivity
      ) { draft, _ in
        guard let parts = draft.apsParts, parts.event == .start else { return [] }
        return [
          parts.finding("event", parts.aps["event"], "A channel cannot start a Live Activity.")
        ]
      },
    ]

  private static let channelIDRules: [Rule] = [
    Rule(
      "channel-missing", .error, about: .header(.channelID),
      summary: "A push to a channel names the channel.",
      fix: "Specify the ID that APNs returned when the channel was created.",
      source: Source.broadcast, reason: .missingChannelID
    ) { draft, _ in
      draft[.channelID]?.value.isEmpty ?? true
        ? [Finding(missing: .channelID, "The channel ID is missing.")] : []
    },
    Rule(
      "channel-form", .error, about: .header(.channelID),
      summary: "A channel ID is base64, as APNs returned it.",
      fix: "Use the ID from apns-channel-id.", source: Source.broadcast, reason: .badChannelID
    ) { draft, _ in
      guard let field = draft[.channelID], !field.value.isEmpty else { return [] }
      do throws(ChannelIDError) {
        _ = try ChannelID(field.value)
        return []
      } catch {
        return [Finding(field, error.message, fix: error.fix)]
      }
    },
  ]

  /// The first error in the bundle ID of a path about channels; nil if there is none.
  public static func problem(ofBundleID text: String) -> Problem? {
    let draft = ExaminedDraft(
      Draft(target: .channel(app: DraftField(Draft.appField, text))), RuleContext(now: 0))
    return bundleIDRules.flatMap { $0.problems(in: draft) }.first { $0.severity == .error }
  }

  // Neither a path unknown to APNs can be forced, nor one that would corrupt the request.
  private static let bundleIDRules: [Rule] = [
    Rule(
      "bundle-id-missing", .error, about: .bundleID,
      summary: "A push to a channel names the app in its path.",
      fix: "Specify the app's bundle ID.", source: Source.broadcast, reason: .badPath,
      isForceable: false
    ) { draft, _ in
      draft.bundleID?.value.isEmpty ?? true
        ? [Finding(bundleID: draft.bundleID, "The bundle ID is missing.")] : []
    },
    Rule(
      "bundle-id-form", .error, about: .bundleID,
      summary: "A bundle ID consists of letters, digits, -, _ and single dots.",
      fix: "Use the bundle ID as Xcode shows it.", source: Source.broadcast,
      reason: .topicDisallowed, isForceable: false
    ) { draft, _ in
      guard let field = draft.bundleID,
        let (message, fix) = malformation(of: field.value, called: "bundle ID")
      else { return [] }
      return [Finding(bundleID: field, message, fix: fix)]
    },
    Rule(
      "bundle-id-suffix", .error, about: .bundleID,
      summary: "The bundle ID in the path has no push type's suffix.",
      fix: "Use the bundle ID as Xcode shows it.", source: Source.broadcastErrors,
      reason: .topicDisallowed
    ) { draft, _ in
      guard let field = draft.bundleID, let owner = PushType.owner(ofSuffixIn: field.value),
        !owner.suffixIsCommonWord
      else { return [] }
      let bare = printable(field.value.dropLast(owner.suffix.count))
      return [
        Finding(
          bundleID: field, "\(owner.suffix) is the suffix of a topic, not of a bundle ID.",
          fix: bare.isEmpty ? nil : "Use \(bare).")
      ]
    },
    Rule(
      "bundle-id-team-id", .error, about: .bundleID,
      summary: "The bundle ID does not begin with a team ID.",
      fix: "Use the bundle ID as Xcode shows it, without the team ID.", source: Source.broadcast,
      reason: .topicDisallowed
    ) { draft, _ in
      guard let field = draft.bundleID, startsWithTeamID(field.value) else { return [] }
      let rest = printable(field.value.dropFirst(11))
      return [
        Finding(
          bundleID: field, "\(field.value.prefix(10)) is a team ID, not a bundle ID.",
          fix: rest.isEmpty ? nil : "Use \(rest).")
      ]
    },
  ]

  // A rule about storage: a push is stored until it expires, if the channel stores any.
  private static func storageRule(
    _ identifier: String, _ severity: Severity, of storage: ChannelStorage, summary: String,
    fix: String, reason: Reason? = nil, message: String
  ) -> Rule {
    Rule(
      identifier, severity, about: .header(.expiration), on: .broadcast, summary: summary, fix: fix,
      source: Source.broadcast, reason: reason
    ) { draft, context in
      guard context.channelStorage == storage, let field = draft[.expiration],
        let expiration = try? Expiration(wire: field.value), expiration != .neverStored
      else { return [] }
      return [Finding(field, message)]
    }
  }
}

extension ExaminedDraft {
  /// The bundle ID in the path; nil if missing, or for a push to a device.
  fileprivate var bundleID: DraftField? {
    if case .channel(let app) = target { app } else { nil }
  }
}
