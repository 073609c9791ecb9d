internal import APNS
internal import JSONText
internal import PlainText

/// What there is to tell about a payload.
struct PayloadFacts {
  /// A size that a payload must not go beyond.
  struct Limit {
    let name: String
    let bytes: Int
  }

  /// How the push type is known.
  enum TypeSource: String {
    case folder
    case inferred
  }

  /// The usual limit, those of push types with one of their own, and the simulator's.
  static let limits =
    [Limit(name: "APNs", bytes: PushType.usualPayloadLimit)]
    + PushType.rowsWithOwnLimit.map { Limit(name: $0.type.rawValue, bytes: $0.payloadLimit) }
    + [Limit(name: "simulator", bytes: PushType.usualPayloadLimit)]

  /// The file, as the user named it.
  let file: String
  /// The variables that its placeholders name.
  let variables: [String]
  /// The length as sent, or as written if it has variables, in bytes: in the fewest characters, and without what is for a simulator.
  let bytes: Int
  /// The push type; nil when it must be said.
  let type: PushType?
  /// How the push type is known; nil when it is not.
  let typeSource: TypeSource?
  /// The app that an `.apns` file names.
  let target: String?
  /// The paths of Apple's keys, each with what it does; nil for one that Apple does not document.
  let appleKeys: [(path: String, summary: String?)]
  /// The app's own keys, each with the kind of its value.
  let ownKeys: [(key: String, kind: String)]
  /// What the lock screen shows; nil for nothing.
  let banner: Banner?

  init(
    _ draft: Draft, json: JSON, file: String, variables: [String] = [], typeSource: TypeSource?,
    target: JSON?
  ) {
    self.file = file
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
    let isShown = type == .alert || type == nil
    banner = isShown ? Banner(json) : nil
  }

  /// Why the lock screen shows no banner; nil when it shows one.
  var silence: String? {
    if banner != nil { return nil }
    switch type {
    case .alert, nil: return "No banner: there is no text to show."
    case let type?:
      return "No banner for a push of type \(type). " + (type.info?.summary ?? "")
    }
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
