internal import APNS
internal import JSONText

/// What a payload says, and what it looks like on the lock screen.
struct PayloadReport {
  /// How the push type is known.
  enum TypeSource: String { case folder, inferred }

  typealias Limit = (name: String, bytes: Int)

  /// The usual limit, those of push types with one of their own, and the simulator's.
  private static let limits: [Limit] =
    [("APNs", PushType.usualPayloadLimit)]
    + PushType.rowsWithOwnLimit.map { ($0.type.rawValue, $0.payloadLimit) }
    + [("simulator", PushType.usualPayloadLimit)]

  /// The variables that its placeholders name.
  private let variables: [String]
  /// The length as sent, or as written if it has variables: in the fewest characters, and without
  /// what is for a simulator.
  private let bytes: Int
  /// Nil when it has to be given.
  private let type: PushType?
  private let typeSource: TypeSource?
  /// The app that an `.apns` file names.
  private let target: String?
  /// The paths of Apple's keys, each with what it does; nil for one that Apple does not document.
  private let appleKeys: [(path: String, summary: String?)]
  /// The app's own keys, each with the kind of its value.
  private let ownKeys: [(key: String, kind: String)]
  /// Nil when the lock screen shows nothing.
  let banner: Banner?

  init(
    _ draft: Draft, json: JSON, variables: [String] = [], typeSource: TypeSource?, target: JSON?
  ) {
    self.variables = variables
    bytes = draft.payload?.bytes.count ?? 0
    type = draft.pushType.flatMap { PushType(rawValue: $0) }
    self.typeSource = type == nil ? nil : typeSource
    self.target = target.map { $0.string ?? $0.encodedString() }
    let members = json.object?.members ?? []
    let isOfApple = { (key: String) in key == "aps" || Self.info(key) != nil }
    appleKeys =
      Self.keys(in: json["aps"], below: "aps")
      + members.filter { $0.key != "aps" && isOfApple($0.key) }.map { ($0.key, Self.info($0.key)) }
    ownKeys = members.filter { !isOfApple($0.key) }.map { ($0.key, $0.value.kind) }
    banner = type == .alert || type == nil ? Banner(json) : nil
  }

  /// Why the lock screen shows no banner; nil when it shows one.
  var silence: String? {
    if banner != nil { return nil }
    guard let type, type != .alert else { return "No banner: there is no text to show." }
    return "No banner for a push of type \(type). " + (type.info?.summary ?? "")
  }

  /// The keys of `aps`, and of the objects in it whose keys Apple documents.
  private static func keys(
    in value: JSON?, below path: String
  ) -> [(path: String, summary: String?)] {
    (value?.object?.members ?? []).flatMap { member in
      let memberPath = "\(path).\(member.key)"
      let isKnownObject = PayloadKey.table.contains { $0.path.hasPrefix(memberPath + ".") }
      let below = isKnownObject ? keys(in: member.value, below: memberPath) : []
      return [(memberPath, info(memberPath))] + below
    }
  }

  private static func info(_ path: String) -> String? {
    PayloadKey.table.first { $0.path == path }?.summary
  }
}

extension PayloadReport {
  var parts: [Report.Part] {
    [
      .json("kind", "payload"), .fact("size", "bytes", .number(bytes), shown: size),
      .list("limits", Self.limits.map(part)),
      .fact("push type", "type", .text(type?.rawValue), shown: typeText),
      .json("typeSource", .text(typeSource?.rawValue)),
      .fact("target bundle", "targetBundle", .text(target)),
      .fact("variables", "variables", .texts(variables)),
      .section("Apple's keys", [.list("appleKeys", appleKeys.map(part))]),
      .section("The app's own keys", [.list("ownKeys", ownKeys.map(part))]),
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

  private func part(_ limit: Limit) -> [Report.Part] {
    [
      .json("name", .text(limit.name)), .json("bytes", .number(limit.bytes)),
      .json("fits", .flag(bytes <= limit.bytes)),
    ]
  }

  private var typeText: StyledText {
    switch (type, typeSource) {
    case (let type?, .folder): "\(type), from the folder's name"
    case (let type?, .inferred): "\(type), inferred from the payload"
    case (let type?, nil): "\(type)"
    case (nil, _): "cannot be inferred from the payload; give --type"
    }
  }

  private func part(_ key: (path: String, summary: String?)) -> [Report.Part] {
    let shown = StyledText(key.summary ?? "not one of Apple's keys")
    return [
      .json("key", .text(key.path)),
      .fact(StyledText(key.path), "meaning", .text(key.summary), shown: shown),
    ]
  }

  private func part(_ key: (key: String, kind: String)) -> [Report.Part] {
    [.json("key", .text(key.key)), .fact(StyledText(key.key), "kind", .text(key.kind))]
  }

  private var preview: [Report.Part] {
    guard let banner else { return [.json("banner", nil), .paragraph(StyledText(silence ?? ""))] }
    let head = [
      StyledText(target ?? "(the app's name)"), banner.title.map { StyledText($0, .bold) },
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
