public import JSONText

/// Parts of a payload said by options: they make a payload, or override keys of one that is given.
/// What is nil, false or empty changes nothing.
public struct PayloadEdits: Sendable, Hashable {
  /// `aps.alert.title`
  public var title: String?
  /// `aps.alert.subtitle`
  public var subtitle: String?
  /// `aps.alert.body`
  public var body: String?
  /// `aps.badge`; 0 clears it.
  public var badge: Int?
  /// `aps.sound`, or its `name` when the payload has a sound object.
  public var sound: String?
  /// `aps.category`
  public var category: String?
  /// `aps.thread-id`
  public var threadID: String?
  /// `aps.interruption-level`
  public var interruptionLevel: String?
  /// `aps.relevance-score`
  public var relevanceScore: JSONNumber?
  /// `aps.content-available`: 1
  public var contentAvailable = false
  /// `aps.mutable-content`: 1
  public var mutableContent = false
  /// The app's own keys beside `aps`; of two with the same key the last one counts.
  public var data: [JSONMember] = []

  /// Edits that change nothing.
  public init() {}

  /// Whether there is nothing to change.
  public var isEmpty: Bool { self == PayloadEdits() }

  /// The payload with these edits.
  ///
  /// - Parameter payload: The payload to edit; nil makes one.
  /// - Returns: The payload edited. One that is not an object, or whose `aps` is not, comes back
  ///   without the edits that find no place in it: the rules that ask for objects report it.
  public func apply(to payload: JSON? = nil) -> JSON {
    let payload = payload ?? JSON(.object(JSONObject()))
    guard !isEmpty, var root = payload.object else { return payload }
    for member in data { root[member.key] = member.value }
    if changesAPS, let aps = edited(aps: root["aps"]) { root["aps"] = aps }
    return JSON(.object(root), at: payload.position)
  }
}

extension PayloadEdits {
  private var changesAPS: Bool {
    var rest = self
    rest.data = []
    return !rest.isEmpty
  }

  private func edited(aps given: JSON?) -> JSON? {
    let given = given ?? JSON(.object(JSONObject()))
    guard var aps = given.object else { return nil }
    if let alert = edited(alert: aps["alert"]) { aps["alert"] = alert }
    if let sound { aps["sound"] = edited(sound: aps["sound"], name: sound) }
    for (key, value) in plainKeys { aps[key] = value ?? aps[key] }
    return JSON(.object(aps), at: given.position)
  }

  private var plainKeys: [(String, JSON?)] {
    [
      ("badge", badge.map { JSON(.number(JSONNumber($0))) }),
      ("category", category.map { JSON(.string($0)) }),
      ("thread-id", threadID.map { JSON(.string($0)) }),
      ("interruption-level", interruptionLevel.map { JSON(.string($0)) }),
      ("relevance-score", relevanceScore.map { JSON(.number($0)) }),
      ("content-available", contentAvailable ? 1 : nil),
      ("mutable-content", mutableContent ? 1 : nil),
    ]
  }

  // A body alone is written in the short form; anything more needs the object, and then a text that
  // was given becomes its body.
  private func edited(alert given: JSON?) -> JSON? {
    if title == nil, subtitle == nil, given?.object == nil {
      return body.map { JSON(.string($0), at: given?.position) }
    }
    let texts = [("title", title), ("subtitle", subtitle), ("body", body ?? given?.string)]
    var alert = given?.object ?? JSONObject()
    for case (let key, let text?) in texts { alert[key] = JSON(.string(text)) }
    return JSON(.object(alert), at: given?.position)
  }

  private func edited(sound given: JSON?, name: String) -> JSON {
    guard var sound = given?.object else { return JSON(.string(name), at: given?.position) }
    sound["name"] = JSON(.string(name))
    return JSON(.object(sound), at: given?.position)
  }
}
