import JSONText

extension RuleTable {
  /// The rules about pushes to a Live Activity.
  static let liveActivityRules: [Rule] = [
    Rule(
      "activity-event", .error, about: .payload,
      summary: "A push to a Live Activity has an event.",
      fix: "Add \"event\": \"start\", \"update\" or \"end\".", source: Source.liveActivity
    ) { draft, _ in
      guard let parts = activity(of: draft), !parts.has("event") else { return [] }
      // A channel cannot start an activity.
      let fix = draft.target == .device ? nil : "Add \"event\": \"update\" or \"end\"."
      return [parts.missing("event", "A push to a Live Activity must have event.", fix: fix)]
    },
    Rule(
      "activity-needs", .error, about: .payload,
      summary: "A push to a Live Activity has every key that its event requires.",
      fix: "Add the key.", source: Source.liveActivity
    ) { draft, _ in
      guard let parts = activity(of: draft), let event = parts.event else { return [] }
      let needed = neededKeys[event] ?? []
      return needed.filter { !parts.has($0) || parts.aps[$0]?.string?.isBlank ?? false }.map {
        let state = parts.has($0) ? "; it is empty" : ""
        return parts.missing($0, "The event \(event.rawValue) requires \($0)\(state).")
      }
    },
    Rule(
      "activity-inputs", .error, about: .payload,
      summary: "A Live Activity receives updates through a token or a channel, not both.",
      fix: "Remove input-push-token or input-push-channel.", source: Source.liveActivity
    ) { draft, _ in
      guard let parts = activity(of: draft), parts.has("input-push-token"),
        let channel = parts.aps["input-push-channel"]
      else { return [] }
      return [parts.finding("input-push-channel", channel, "input-push-token is present as well.")]
    },
    Rule(
      "activity-sound", .warning, about: .payload,
      summary: "The sound of a Live Activity is inside alert.",
      fix: "Move it to aps.alert.sound.", source: Source.liveActivity
    ) { draft, _ in
      guard let parts = activity(of: draft), let sound = parts.aps["sound"] else { return [] }
      return [parts.finding("sound", sound, "A Live Activity ignores aps.sound.")]
    },
    Rule(
      "activity-alert", .warning, about: .payload,
      summary: "The alert of a Live Activity is an object.",
      fix: "Write \"alert\": {\"title\": …, \"body\": …}.", source: Source.liveActivity
    ) { draft, _ in
      guard let parts = activity(of: draft), let alert = parts.aps["alert"],
        let text = alert.string, !text.isBlank
      else { return [] }
      return [parts.finding("alert", alert, "The alert is text; a Live Activity needs an object.")]
    },
    Rule(
      "activity-content-available", .warning, about: .payload,
      summary: "A push to a Live Activity has no content-available.",
      fix: "Remove the key; a push of type \(PushType.background) wakes the app.",
      source: Source.liveActivity
    ) { draft, _ in
      let key = "content-available"
      guard let parts = activity(of: draft), let value = parts.aps[key] else { return [] }
      return [parts.finding(key, value, "A push to a Live Activity does not wake the app.")]
    },
    Rule(
      "activity-timestamp", .warning, about: .payload,
      summary: "timestamp is within an hour of the time of sending, unless the event is end.",
      fix: "Use \"{{now}}\".",
      source: "\(Source.liveActivity) (older than the last is dropped); forums 776165 (one reply)"
    ) { draft, context in
      guard let parts = activity(of: draft), parts.event != .end,
        let timestamp = parts.moment("timestamp")
      else { return [] }
      let lead = Int64(timestamp) - context.now
      guard lead.magnitude > 3600 else { return [] }
      let message = "timestamp is \(ISO8601.text(seconds: Int64(timestamp))), \(farOff(lead))"
      return [parts.finding("timestamp", parts.aps["timestamp"], message)]
    },
    Rule(
      "activity-stale-date", .warning, about: .payload,
      summary: "stale-date is later than timestamp.",
      fix: "Use a later stale-date, or omit it.", source: Source.liveActivity
    ) { draft, _ in
      guard let (parts, lead) = lead(of: "stale-date", in: draft), lead <= 0 else { return [] }
      let value = parts.aps["stale-date"]
      return [parts.finding("stale-date", value, "stale-date is not later than timestamp.")]
    },
    Rule(
      "activity-dismissal-date", .warning, about: .payload,
      summary: "An ended Live Activity is dismissed within four hours.",
      fix: "Use an earlier dismissal-date; the system removes it after four hours.",
      source: Source.liveActivity
    ) { draft, _ in
      guard let (parts, lead) = lead(of: "dismissal-date", in: draft), lead > 4 * 3600 else {
        return []
      }
      let value = parts.aps["dismissal-date"]
      let message = "dismissal-date is more than four hours after timestamp."
      return [parts.finding("dismissal-date", value, message)]
    },
  ]

  private static let neededKeys = Dictionary(
    uniqueKeysWithValues: LiveActivityEvent.allCases.map { event in
      (event, PayloadKey.table.filter { $0.neededBy.contains(event) }.map { $0.path.dropAPS })
    })

  private static func farOff(_ lead: Int64) -> String {
    let span = TimeSpan.text(seconds: lead)
    if lead < 0 { return "\(span) ago; a device may drop it." }
    return lead > 8 * 3600
      ? "\(span) ahead; a device may drop it."
      : "\(span) ahead; a device drops the updates until then."
  }

  private static func activity(of draft: ExaminedDraft) -> APSParts? {
    draft.knownType == .liveactivity ? draft.apsParts : nil
  }

  // The seconds from a Live Activity's timestamp to another of its dates, if both are valid.
  private static func lead(of key: String, in draft: ExaminedDraft) -> (APSParts, Double)? {
    guard let parts = activity(of: draft), let date = parts.moment(key),
      let timestamp = parts.moment("timestamp")
    else { return nil }
    return (parts, date - timestamp)
  }
}

extension APSParts {
  fileprivate func moment(_ key: String) -> Double? {
    aps[key]?.number.map(\.double).flatMap { 1e9..<1e11 ~= $0 ? $0 : nil }
  }
}

extension String {
  fileprivate var dropAPS: String { String(dropFirst("aps.".count)) }
}
