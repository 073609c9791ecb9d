internal import APNS
internal import JSONText
internal import Reporting

/// A report on a payload and its appearance on the lock screen.
struct PayloadReport: JSONDescribed {
  /// The usual limit, the limits of push types with their own, and the simulator's.
  private static let limits: [(name: String, bytes: Int)] =
    [("APNs", PushType.usualPayloadLimit)]
    + PushType.rowsWithOwnLimit.map { ($0.type.rawValue, $0.payloadLimit) }
    + [("simulator", PushType.usualPayloadLimit)]

  let draft: Draft
  let json: JSON
  /// The variables that the placeholders name.
  let variables: [String]
  /// The push type is inferred from the payload; otherwise it is the folder's name.
  let isTypeInferred: Bool
  /// The app that an `.apns` file names.
  let target: JSON?

  /// Nil if it has to be given.
  private var type: PushType? { draft.pushType.flatMap { PushType(rawValue: $0) } }

  /// The size as sent, or as written if there are variables, without the simulator's key.
  private var bytes: Int { draft.payload?.bytes.count ?? 0 }

  private var targetBundle: String? { target.map { $0.string ?? $0.encodedString() } }

  var banner: Banner? { type == .alert || type == nil ? Banner(json) : nil }

  /// The reason the lock screen shows no banner; nil if it shows one.
  var silence: String? {
    if banner != nil { return nil }
    guard let type, type != .alert else { return "No banner: there is no text to show." }
    return "No banner for a push of type \(type). " + (type.info?.summary ?? "")
  }

  static let fields: [OutputField<Self>] = [
    .always("kind", { _ in "payload" }, "What the file contains.", .word(["payload"])),
    .always("bytes", \.bytes, "Its length as sent.", as: "size") { $0.size },
    .list(
      "limits", { report in limits.map { (limit: $0, fits: report.bytes <= $0.bytes) } },
      "Whether it is within each limit.",
      [
        .always("name", { $0.limit.name }, "What the limit is of."),
        .always("bytes", { $0.limit.bytes }, "The limit."),
        .always("fits", { $0.fits }, "Whether it fits."),
      ]),
    .always("type", \.type?.rawValue, "The push type; null if it must be given.", as: "push type") {
      $0.typeText
    },
    .always(
      "typeSource",
      { report in report.type.map { _ in report.isTypeInferred ? "inferred" : "folder" } },
      "What tells the type.", .orNull(.word(["inferred", "folder"]))),
    .always(
      "targetBundle", \.targetBundle, "The app that an .apns file names.", as: "target bundle"),
    .always("variables", \.variables, "The variables of its placeholders.", as: "variables"),
    .section("Apple's keys", [.list("appleKeys", \.appleKeys, "Apple's keys in it.", appleKey)]),
    .section(
      "The app's own keys", [.list("ownKeys", \.ownKeys, "The app's own keys in it.", ownKey)]),
    .section(
      "Lock screen",
      [.always("banner", \.banner, "What the lock screen shows."), .people { [$0.preview] }]),
    .always("silence", \.silence, "Why the lock screen shows nothing."),
  ]

  private static let appleKey: [OutputField<(path: String, summary: String?)>] = [
    .always("key", { $0.path }, "The key's path."),
    .always("meaning", { $0.summary }, "What it is for; null if Apple does not document it."),
    .people {
      [.text(StyledText($0.path), StyledText($0.summary ?? "not one of Apple's keys"))]
    },
  ]

  private static let ownKey: [OutputField<JSONMember>] = [
    .always("key", \.key, "The key."), .always("kind", \.value.kind, "The kind of its value."),
    .people { [.text(StyledText($0.key), StyledText($0.value.kind))] },
  ]

  private var size: StyledText {
    let state = variables.isEmpty ? "as sent" : "before variables are filled in"
    var (text, separator): (StyledText, String) = ("\(counted(bytes, "byte")) \(state) ", "(")
    for limit in Self.limits {
      let excess = bytes - limit.bytes
      let verdict: StyledText =
        excess > 0 ? "\("\(grouped(excess)) too many", .bad)" : "\("fits", .good)"
      text = "\(text)\(separator)\(limit.name) \(grouped(limit.bytes)): \(verdict)"
      separator = ", "
    }
    return "\(text))"
  }

  private var typeText: StyledText {
    guard let type else { return "cannot be inferred from the payload; give --type" }
    return isTypeInferred ? "\(type), inferred from the payload" : "\(type), from the folder's name"
  }

  private var preview: Report.Part {
    guard let banner else { return .paragraph(StyledText(silence ?? "")) }
    let head = [
      StyledText(targetBundle ?? "(the app's name)"), banner.title.map { StyledText($0, .bold) },
      banner.subtitle.map { StyledText($0) },
    ].compactMap(\.self)
    return .lines((head + banner.body.map { StyledText($0) }).map { "│ \($0)" })
  }
}

// Keys.
extension PayloadReport {
  private var members: [JSONMember] { json.object?.members ?? [] }

  private var appleKeys: [(path: String, summary: String?)] {
    let others = members.map(\.key).filter { $0 != "aps" && Self.isOfApple($0) }
    return (Self.paths(in: json["aps"], below: "aps") + others).map { ($0, Self.summary($0)) }
  }

  private var ownKeys: [JSONMember] { members.filter { !Self.isOfApple($0.key) } }

  private static func isOfApple(_ key: String) -> Bool { key == "aps" || summary(key) != nil }

  /// The keys of `aps` and of the objects in it with documented keys.
  private static func paths(in value: JSON?, below path: String) -> [String] {
    (value?.object?.members ?? []).flatMap { member in
      let path = "\(path).\(member.key)"
      let isKnownObject = PayloadKey.table.contains { $0.path.hasPrefix(path + ".") }
      return [path] + (isKnownObject ? paths(in: member.value, below: path) : [])
    }
  }

  /// Nil for a key that Apple does not document.
  private static func summary(_ path: String) -> String? {
    PayloadKey.table.first { $0.path == path }?.summary
  }
}
