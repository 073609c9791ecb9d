public import JSONText

/// Parts of a payload set by options: they create a payload, or override keys of an existing one.
/// Nil, false and empty values change nothing.
public struct PayloadEdits: Sendable, Hashable {
  /// `aps.alert.title`
  public var title: String?
  /// `aps.alert.subtitle`
  public var subtitle: String?
  /// `aps.alert.body`
  public var body: String?
  /// `aps.alert.title-loc-key`, which replaces a title in the payload.
  public var titleLocKey: String?
  /// `aps.alert.title-loc-args`
  public var titleLocArgs: [String]?
  /// `aps.alert.loc-key`, which replaces a body in the payload.
  public var locKey: String?
  /// `aps.alert.loc-args`
  public var locArgs: [String]?
  /// `aps.badge`; 0 clears it.
  public var badge: Int?
  /// `aps.sound`, or its `name` if the payload has a sound object.
  public var sound: String?
  /// `aps.sound.critical`: 1, with its volume; nil leaves the sound unchanged.
  public var critical: CriticalSound?
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
  /// The keys of a Live Activity, whose alert holds sound and localized texts in different places.
  public var liveActivity = LiveActivityEdits()
  /// The app's own keys next to `aps`; if a key is repeated, the last value counts.
  public var data: [JSONMember] = []

  /// Creates edits that change nothing.
  public init() {}

  /// True if there is nothing to change.
  public var isEmpty: Bool { self == PayloadEdits() }

  /// Applies the edits to a payload.
  ///
  /// - Parameters:
  ///   - payload: The payload to edit; nil creates one.
  ///   - now: Seconds since 1970, for the dates of a Live Activity.
  /// - Returns: The edited payload. If it or its `aps` is not an object, edits that do not fit are
  ///   left out, and rules report the wrong type.
  public func apply(to payload: JSON? = nil, now: Int64 = 0) -> JSON {
    let payload = payload ?? JSON(.object(JSONObject()))
    guard !isEmpty, var root = payload.object else { return payload }
    for member in data { root[member.key] = member.value }
    if changesAPS, let aps = edited(aps: root["aps"], now: now) { root["aps"] = aps }
    return JSON(.object(root), at: payload.position)
  }
}

extension PayloadEdits {
  private var changesAPS: Bool {
    var rest = self
    rest.data = []
    return !rest.isEmpty
  }

  private func edited(aps given: JSON?, now: Int64) -> JSON? {
    let given = given ?? JSON(.object(JSONObject()))
    guard var aps = given.object else { return nil }
    liveActivity.apply(to: &aps, now: now)
    let isActivity = aps["event"] != nil
    if let alert = edited(alert: aps["alert"], ofActivity: isActivity) { aps["alert"] = alert }
    if !isActivity, let sound = edited(sound: aps["sound"]) { aps["sound"] = sound }
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

  // A body alone uses the short form; anything more needs an object, in which existing text becomes
  // the body. In a Live Activity it is always an object, which also holds the sound.
  private func edited(alert given: JSON?, ofActivity isActivity: Bool) -> JSON? {
    let said = alertTexts().filter { $0.text != nil || $0.isLocalized }
    let hasSound = isActivity && (sound != nil || critical != nil)
    if said.isEmpty, !hasSound { return nil }
    let isShort = said.allSatisfy { $0.name == "body" && !$0.isLocalized }
    if isShort, !isActivity, given?.object == nil {
      return body.map { JSON(.string($0), at: given?.position) }
    }
    var alert = given?.object ?? JSONObject()
    for text in alertTexts(besides: given?.string) {
      text.apply(to: &alert, ofActivity: isActivity)
    }
    if hasSound, let sound = edited(sound: alert["sound"]) { alert["sound"] = sound }
    return JSON(.object(alert), at: given?.position)
  }

  /// - Parameter given: An alert that is only text; it becomes the body unless a new one is given.
  private func alertTexts(besides given: String? = nil) -> [AlertTextEdit] {
    let body = body ?? (locKey == nil ? given : nil)
    return [
      AlertTextEdit(name: "title", prefix: "title-", title, titleLocKey, titleLocArgs),
      AlertTextEdit(name: "subtitle", prefix: "subtitle-", subtitle, nil, nil),
      AlertTextEdit(name: "body", prefix: "", body, locKey, locArgs),
    ]
  }

  private func edited(sound given: JSON?) -> JSON? {
    if critical == nil, given?.object == nil {
      return sound.map { JSON(.string($0), at: given?.position) }
    }
    guard sound != nil || critical != nil else { return nil }
    var object = given?.object ?? JSONObject()
    if let critical {
      object["critical"] = 1
      object["name"] = object["name"] ?? JSON(.string(given?.string ?? "default"))
      object["volume"] = critical.volume.map { JSON(.number($0)) } ?? object["volume"]
    }
    if let sound { object["name"] = JSON(.string(sound)) }
    return JSON(.object(object), at: given?.position)
  }
}

/// The sound of a critical alert.
public struct CriticalSound: Sendable, Hashable {
  /// The volume, from 0 (silent) to 1; nil leaves it to the payload or the system.
  public var volume: JSONNumber?

  /// Creates a critical alert with this volume.
  public init(volume: JSONNumber? = nil) { self.volume = volume }
}

/// The edits of one text of an alert.
private struct AlertTextEdit {
  /// The key of the text itself.
  let name: String
  /// The prefix of its localization keys.
  let prefix: String
  let text: String?
  let key: String?
  let arguments: [String]?

  init(
    name: String, prefix: String, _ text: String?, _ key: String?, _ arguments: [String]?
  ) {
    (self.name, self.prefix, self.text) = (name, prefix, text)
    (self.key, self.arguments) = (key, arguments)
  }

  var isLocalized: Bool { key != nil || arguments != nil }

  /// Applies the edit. In a Live Activity a localized text is an object that replaces the text.
  func apply(to alert: inout JSONObject, ofActivity isActivity: Bool) {
    if let text { alert[name] = JSON(.string(text)) }
    if !isLocalized { return }
    if isActivity {
      var object = alert[name]?.object ?? JSONObject()
      localize(&object, prefix: "")
      alert[name] = JSON(.object(object))
    } else {
      if key != nil, text == nil { alert[name] = nil }
      localize(&alert, prefix: prefix)
    }
  }

  private func localize(_ object: inout JSONObject, prefix: String) {
    if let key { object[prefix + "loc-key"] = JSON(.string(key)) }
    if let arguments {
      object[prefix + "loc-args"] = JSON(.array(arguments.map { JSON(.string($0)) }))
    }
  }
}
