internal import APNS
package import JSONText
internal import PlainText
package import Reporting

/// A preview of one push as a device would show it.
struct PushPreview: JSONDescribed {
  /// The draft as it would be sent, with placeholders filled in.
  let draft: Draft
  /// The app's bundle ID; nil if unknown.
  let app: String?
  let isTypeInferred: Bool
  /// The row that filled in the placeholders; nil for none.
  let row: String?
  let warnings: [Problem]
  /// In seconds since 1970.
  let now: Int64

  private var json: JSON { draft.payload?.json ?? nil }
  private var aps: JSON? { json["aps"] }
  private var type: PushType? { draft.pushType.flatMap { PushType(rawValue: $0) } }

  static let fields: [OutputField<Self>] = [
    .section("Lock screen", lockScreen),
    .init([activity]) {
      if $0.type != .liveactivity { return [] }
      let parts = LiveActivityPreview.fields.parts(of: .init(aps: $0.aps, now: $0.now))
      return [.section(heading: "Live Activity", key: activity.name, parts)]
    }, .section("Notification", notification), .people { [.section("For the app", $0.own)] },
    .always(
      "data", \.ownMembers.object, "The app's own keys of the payload.",
      .map(.anything)),
    .init([.init("problems", [Problem].jsonShape, "The warnings.")]) {
      [.problems(key: "problems", $0.warnings)]
    },
  ]

  private static let activity = JSONShape.Key(
    "liveActivity", LiveActivityPreview.fields.shape(), "What becomes of the Live Activity."
  ).sometimes

  // MARK: The screen

  private var card: PushCard { PushCard(draft) }
  private var banner: Banner? { card.alert.map(Banner.init) }
  private var note: String? { card.why }

  private static let lockScreen: [OutputField<Self>] = [
    .always(
      "shows", \.kind, "What the device shows.",
      .word(["alert", "call", "liveActivity", "nothing"])),
    .always("note", \.note, "What else there is to know of it, for people."),
    .always("banner", \.banner, "The alert on the lock screen."),
    .people { preview in
      [.lines(preview.screen)] + (preview.note.map { [.paragraph(StyledText($0))] } ?? [])
    },
  ]

  private var screen: [StyledText] {
    guard let banner else { return type == .voip ? frame([head, "Incoming call"]) : [] }
    let texts = [
      mark.map { StyledText($0, .doubtful) }, banner.title.map { StyledText($0, .bold) },
      banner.subtitle.map { StyledText($0) },
    ].compactMap(\.self)
    return frame([head] + texts + banner.body.map { StyledText($0) })
  }

  /// The app on the left, the time on the right edge of the banner.
  private var head: StyledText {
    let time = "now"
    let app = (app ?? "(the app's name)").printable
    let room = Banner.columns - app.columns - time.count
    return StyledText(app + String(repeating: " ", count: max(2, room)) + time)
  }

  private func frame(_ lines: [StyledText]) -> [StyledText] { lines.map { "│ \($0)" } }

  private var kind: String {
    switch card.kind {
    case .call, .liveActivity: card.kind.rawValue
    case .notification: "alert"
    case .background, .none: "nothing"
    }
  }

  /// The label above the title.
  private var mark: String? {
    if level == "critical" || isCritical { return "CRITICAL" }
    return level == "time-sensitive" ? "TIME SENSITIVE" : nil
  }

  // MARK: Facts

  private var level: String? { card.interruptionLevel }
  private var sound: JSON? { card.sound }
  private var isCritical: Bool { card.isCritical }

  private static let notification: [OutputField<Self>] = [
    .always("type", \.draft.pushType, "The push type.", as: "push type") { $0.typeText },
    .always("app", \.app, "The app's bundle ID.", as: "app"),
    .always("row", \.row, "The row that filled in the placeholders.", as: "filled from"),
    .always(
      "badge", { $0.aps?["badge"] }, "The number on the app's icon; null if it stays.",
      .orNull(.number), as: "badge", { $0.badgeText }),
    .always(
      "sound", \.sound, "The sound as the payload has it; null for none.", .anything, as: "sound"
    ) { $0.type == .alert || $0.type == nil || $0.sound != nil ? $0.soundText : nil },
    .always("interruptionLevel", \.level, "The interruption level.", as: "interruption") {
      $0.levelText
    },
    .always(
      "threadID", { $0.aps?["thread-id"] }, "The thread that groups it; null for none.",
      .orNull(.text), as: "thread"),
    .always(
      "category", { $0.aps?["category"]?.string }, "The category of its buttons.", as: "category"
    ) { $0.aps?["category"]?.string.map { "\($0); the app defines its buttons" } },
    .always(
      "relevanceScore", { $0.aps?["relevance-score"] },
      "The ranking in the app's summary, if given.", .orNull(.number), as: "relevance"),
    .always(
      "contentAvailable", { $0.isOn("content-available") },
      "Whether it wakes the app in the background.", as: "content-available"
    ) { $0.isTold("content-available") ? "wakes the app in the background, too" : nil },
    .always(
      "mutableContent", { $0.isOn("mutable-content") },
      "Whether the app's extension may change it.", as: "mutable-content"
    ) { $0.isTold("mutable-content") ? "the app's extension may change what is shown" : nil },
    .always(
      "collapseID", \.draft.collapseID, "The collapse ID of what it replaces.", as: "replaces"
    ) { $0.draft.collapseID.map { "an earlier notification with the collapse ID \($0)" } },
    .always("expiration", \.draft.expiration, "The value of apns-expiration.", as: "kept by APNs") {
      $0.expirationText
    },
    .always("bytes", { $0.draft.payload?.bytes.count ?? 0 }, "The payload's length.", as: "size") {
      $0.sizeText
    },
  ]

  private var typeText: StyledText? {
    draft.pushType.map { isTypeInferred ? "\($0), inferred from the payload" : "\($0)" }
  }

  private var badgeText: StyledText? {
    aps?["badge"]?.number.map { $0.int == 0 ? "cleared" : "\($0.text) on the app's icon" }
  }

  private var soundText: StyledText {
    guard let sound, let name = card.soundName else { return "none" }
    let source = name == "default" ? "the default sound" : "\(name), a file of the app"
    if !isCritical { return StyledText(source) }
    let volume = sound["volume"]?.number.map { ", at volume \($0.text)" } ?? ""
    return "\(source)\(volume); critical: it plays in silent mode, too"
  }

  private var levelText: StyledText? {
    switch level {
    case "passive": "passive: in the list only; neither lights the screen nor plays a sound"
    case "active": "active: lights the screen"
    case "time-sensitive": "time-sensitive: shown even in a Focus that allows it"
    case "critical": "critical: shown in every Focus and in silent mode"
    default: level.map { StyledText($0) }
    }
  }

  private func isOn(_ key: String) -> Bool { aps?[key]?.number?.int == 1 }

  private func isTold(_ key: String) -> Bool { isOn(key) && type != .background }

  private var expirationText: StyledText? {
    draft.expiration.flatMap { Int64($0) }.map {
      $0 == 0 ? "not at all: it is tried once" : "until \(moment($0, now: now))"
    }
  }

  private var sizeText: StyledText { "\(counted(draft.payload?.bytes.count ?? 0, "byte"))" }

  // MARK: The app's own keys

  private var ownMembers: [JSONMember] {
    (json.object?.members ?? []).filter { $0.key != "aps" }
  }

  private var own: [Report.Part] { rows(of: JSON(.object(JSONObject(ownMembers)))) }
}

/// A preview of the Live Activity that a push starts, updates or ends.
private struct LiveActivityPreview {
  let aps: JSON?
  let now: Int64

  static let fields: [OutputField<Self>] = [
    .always(
      "event", { $0.aps?["event"] }, "The event: start, update or end.", .orNull(.text), as: "event"
    ),
    .always(
      "timestamp", { $0.aps?["timestamp"] }, "When the state was current, in seconds since 1970.",
      .orNull(.number), as: "as of", { $0.date("timestamp") }),
    .always(
      "staleDate", { $0.aps?["stale-date"] }, "When it is out of date, in seconds since 1970.",
      .orNull(.number), as: "stale", { $0.date("stale-date") }),
    .always(
      "dismissalDate", { $0.aps?["dismissal-date"] }, "When it goes, in seconds since 1970.",
      .orNull(.number), as: "dismissed", { $0.dismissalText }),
    .always(
      "attributesType", { $0.aps?["attributes-type"] }, "The type of its attributes.",
      .orNull(.text), as: "type"),
    .always("attributes", { $0.aps?["attributes"] }, "Its attributes.", .orNull(.map(.anything))),
    .people { [.section("Attributes", rows(of: $0.aps?["attributes"] ?? nil))] },
    .always("contentState", { $0.aps?["content-state"] }, "Its state.", .orNull(.map(.anything))),
    .people { [.section("Content state", rows(of: $0.aps?["content-state"] ?? nil))] },
  ]

  private func date(_ key: String) -> StyledText? {
    aps?[key]?.seconds.map { "\(moment($0, now: now))" }
  }

  private var dismissalText: StyledText? {
    guard aps?["event"]?.string == "end" else { return nil }
    guard let date = aps?["dismissal-date"]?.seconds else { return "after four hours at most" }
    return date <= now ? "at once" : "\(moment(date, now: now))"
  }

}

extension JSON {
  /// Whole seconds; nil if it is not a number or does not fit.
  fileprivate var seconds: Int64? {
    number.flatMap { Int64(exactly: $0.double.rounded(.down)) }
  }
}

/// A row per value in an object: `driver.name  Ada`.
private func rows(of value: JSON, below path: String = "") -> [Report.Part] {
  (value.object?.members ?? []).flatMap { member -> [Report.Part] in
    let name = path.isEmpty ? member.key : "\(path).\(member.key)"
    if let object = member.value.object, !object.members.isEmpty {
      return rows(of: member.value, below: name)
    }
    return [
      .text(StyledText(name), StyledText(member.value.string ?? member.value.encodedString()))
    ]
  }
}

/// A date and its distance: `2026-11-21T10:00:00Z, in 15 minutes`.
private func moment(_ seconds: Int64, now: Int64) -> String {
  let (distance, overflow) = seconds.subtractingReportingOverflow(now)
  let date = ISO8601.text(seconds: seconds)
  if overflow { return date }
  if distance == 0 { return "\(date), now" }
  return distance > 0
    ? "\(date), in \(TimeSpan.text(seconds: distance))"
    : "\(date), \(TimeSpan.text(seconds: distance)) ago"
}

extension Banner: JSONDescribed {
  package static let fields: [OutputField<Self>] = [
    .always("title", \.title, "The title, as much as fits."),
    .always("subtitle", \.subtitle, "The subtitle, as much as fits."),
    .always("body", \.body, "The lines of the text, as many as fit."),
  ]
}
