internal import APNS
internal import JSONText
internal import PlainText
internal import Reporting

/// A preview of one push as a device would show it.
struct PushPreview {
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

  var parts: [Report.Part] {
    [
      .section("Lock screen", screen),
      LiveActivityPreview(aps: aps, now: now).section(isShown: type == .liveactivity),
      .section("Notification", facts), .section("For the app", own),
      .json("data", JSON(.object(JSONObject(ownMembers)))),
      .problems(key: "problems", warnings),
    ].compactMap(\.self)
  }

  // MARK: The screen

  private var card: PushCard { PushCard(draft) }
  private var banner: Banner? { card.alert.map(Banner.init) }
  private var note: String? { card.why }

  private var screen: [Report.Part] {
    let shown = [Report.Part.json("shows", .text(kind)), .json("note", .text(note))]
    guard let banner else {
      let call = type == .voip ? [Report.Part.lines(frame([head, "Incoming call"]))] : []
      return shown + [.json("banner", nil)] + call
        + (note.map { [.paragraph(StyledText($0))] } ?? [])
    }
    let texts = [
      mark.map { StyledText($0, .doubtful) }, banner.title.map { StyledText($0, .bold) },
      banner.subtitle.map { StyledText($0) },
    ].compactMap(\.self)
    let members: [Report.Part] = [
      .json("title", .text(banner.title)), .json("subtitle", .text(banner.subtitle)),
      .json("body", .texts(banner.body)),
    ]
    let lines = frame([head] + texts + banner.body.map { StyledText($0) })
    return shown + [.object("banner", members), .lines(lines)]
      + (note.map { [.paragraph(StyledText($0))] } ?? [])
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

  private var facts: [Report.Part] {
    let category = aps?["category"]?.string
    let collapseID = draft.collapseID
    let isAlert = type == .alert || type == nil
    return [
      .fact("push type", "type", .text(draft.pushType), shown: typeText),
      .fact("app", "app", .text(app)), .fact("filled from", "row", .text(row)),
      .fact("badge", "badge", aps?["badge"] ?? nil, shown: badgeText),
      .fact("sound", "sound", sound ?? nil, shown: isAlert || sound != nil ? soundText : nil),
      .fact("interruption", "interruptionLevel", .text(level), shown: levelText),
      .fact("thread", "threadID", aps?["thread-id"] ?? nil),
      .fact(
        "category", "category", .text(category),
        shown: category.map { "\($0); the app defines its buttons" }),
      .fact("relevance", "relevanceScore", aps?["relevance-score"] ?? nil),
      flag("content-available", "contentAvailable", "wakes the app in the background, too"),
      flag("mutable-content", "mutableContent", "the app's extension may change what is shown"),
      .fact(
        "replaces", "collapseID", .text(collapseID),
        shown: collapseID.map { "an earlier notification with the collapse ID \($0)" }),
      .fact("kept by APNs", "expiration", .text(draft.expiration), shown: expirationText),
      .fact("size", "bytes", .number(draft.payload?.bytes.count ?? 0), shown: sizeText),
    ]
  }

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

  private func flag(_ name: String, _ key: String, _ meaning: StyledText) -> Report.Part {
    let isOn = aps?[name]?.number?.int == 1
    let isTold = isOn && type != .background
    return .fact(StyledText(name), key, .flag(isOn), shown: isTold ? meaning : nil)
  }

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

  func section(isShown: Bool) -> Report.Part? {
    isShown ? .section(heading: "Live Activity", key: "liveActivity", parts) : nil
  }

  private var parts: [Report.Part] {
    [
      .fact("event", "event", aps?["event"] ?? nil),
      date("as of", "timestamp", "timestamp"), date("stale", "stale-date", "staleDate"),
      .fact(
        "dismissed", "dismissalDate", aps?["dismissal-date"] ?? nil, shown: dismissalText),
      .fact("type", "attributesType", aps?["attributes-type"] ?? nil),
      table("Attributes", "attributes", "attributes"),
      table("Content state", "content-state", "contentState"),
    ]
  }

  private func date(_ name: StyledText, _ key: String, _ jsonKey: String) -> Report.Part {
    let value = aps?[key] ?? nil
    return .fact(name, jsonKey, value, shown: value.seconds.map { "\(moment($0, now: now))" })
  }

  private var dismissalText: StyledText? {
    guard aps?["event"]?.string == "end" else { return nil }
    guard let date = aps?["dismissal-date"]?.seconds else { return "after four hours at most" }
    return date <= now ? "at once" : "\(moment(date, now: now))"
  }

  private func table(_ name: StyledText, _ key: String, _ jsonKey: String) -> Report.Part {
    let value = aps?[key] ?? nil
    return .section(
      heading: nil, key: nil, [.json(jsonKey, value), .section(name, rows(of: value))])
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
