internal import APNS
internal import JSONText
internal import Reporting

/// A report on a payload and its appearance on the lock screen.
struct PayloadReport {
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

  var parts: [Report.Part] {
    let typeSource = type.map { _ in isTypeInferred ? "inferred" : "folder" }
    return [
      .json("kind", "payload"), .fact("size", "bytes", .number(bytes), shown: size),
      .list("limits", limits), .fact("push type", "type", .text(type?.rawValue), shown: typeText),
      .json("typeSource", .text(typeSource)),
      .fact("target bundle", "targetBundle", .text(targetBundle)),
      .fact("variables", "variables", .texts(variables)),
      .section("Apple's keys", [.list("appleKeys", appleKeys)]),
      .section("The app's own keys", [.list("ownKeys", ownKeys)]),
      .section("Lock screen", preview), .json("silence", .text(silence)),
    ]
  }

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

  private var limits: [[Report.Part]] {
    Self.limits.map { name, limit in
      [
        .json("name", .text(name)), .json("bytes", .number(limit)),
        .json("fits", .flag(bytes <= limit)),
      ]
    }
  }

  private var typeText: StyledText {
    guard let type else { return "cannot be inferred from the payload; give --type" }
    return isTypeInferred ? "\(type), inferred from the payload" : "\(type), from the folder's name"
  }

  private var preview: [Report.Part] {
    guard let banner else { return [.json("banner", nil), .paragraph(StyledText(silence ?? ""))] }
    let head = [
      StyledText(targetBundle ?? "(the app's name)"), banner.title.map { StyledText($0, .bold) },
      banner.subtitle.map { StyledText($0) },
    ].compactMap(\.self)
    return [
      .object(
        "banner",
        [
          .json("title", .text(banner.title)), .json("subtitle", .text(banner.subtitle)),
          .json("body", .texts(banner.body)),
        ]), .lines((head + banner.body.map { StyledText($0) }).map { "│ \($0)" }),
    ]
  }
}

// Keys.
extension PayloadReport {
  private var members: [JSONMember] { json.object?.members ?? [] }

  private var appleKeys: [[Report.Part]] {
    let others = members.map(\.key).filter { $0 != "aps" && Self.isOfApple($0) }
    return (Self.paths(in: json["aps"], below: "aps") + others).map { path in
      let summary = Self.summary(path)
      let shown = StyledText(summary ?? "not one of Apple's keys")
      return [
        .json("key", .text(path)),
        .fact(StyledText(path), "meaning", .text(summary), shown: shown),
      ]
    }
  }

  private var ownKeys: [[Report.Part]] {
    members.filter { !Self.isOfApple($0.key) }.map {
      [.json("key", .text($0.key)), .fact(StyledText($0.key), "kind", .text($0.value.kind))]
    }
  }

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
