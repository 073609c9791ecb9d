public import APNS
public import JSONText

/// The content of a notification: its push type and its payload.
public struct Content: Sendable, Hashable {
  /// The push type.
  public var pushType: PushType

  /// The payload, or what was to become one.
  var payload: DraftPayload

  /// Creates a content from a payload to be sent as exactly these bytes.
  public init(_ pushType: PushType, bytes: [UInt8]) {
    self.pushType = pushType
    payload = DraftPayload(reading: bytes)
  }

  /// Creates a content from a payload: a JSON object with Apple's `aps` in it.
  public init(_ pushType: PushType, _ payload: JSON) {
    self.pushType = pushType
    self.payload = DraftPayload(payload, bytes: payload.encoded())
  }

  /// Creates a content from Apple's part of the payload.
  public init(_ pushType: PushType, aps: [JSONMember]) {
    self.init(pushType, JSON(.object(JSONObject([JSONMember(key: "aps", value: .object(aps))]))))
  }
}

extension Content {
  /// An alert.
  ///
  /// - Parameters:
  ///   - title: the title.
  ///   - subtitle: the line below the title.
  ///   - body: the text.
  ///   - badge: the number on the app's icon; 0 removes it, nil leaves it.
  ///   - sound: the name of a sound file in the app, or `default`; nil makes no sound.
  ///   - threadID: groups notifications.
  ///   - category: selects the actions and the look that the app has registered.
  public static func alert(
    title: String? = nil, subtitle: String? = nil, body: String? = nil, badge: Int? = nil,
    sound: String? = nil, threadID: String? = nil, category: String? = nil
  ) -> Content {
    let alert = [("title", title), ("subtitle", subtitle), ("body", body)].compactMap { key, text in
      text.map { JSONMember(key: key, value: JSON(.string($0))) }
    }
    let texts = [("sound", sound), ("thread-id", threadID), ("category", category)]
    let others = texts.compactMap { key, text in
      text.map { JSONMember(key: key, value: JSON(.string($0))) }
    }
    let badges = badge.map { [JSONMember(key: "badge", value: JSON(.number(JSONNumber($0))))] }
    let alerts = alert.isEmpty ? [] : [JSONMember(key: "alert", value: .object(alert))]
    return Content(.alert, aps: alerts + (badges ?? []) + others)
  }

  /// A push that wakes the app without telling the user.
  public static let background = Content(
    .background, aps: [JSONMember(key: "content-available", value: JSON(.number(JSONNumber(1))))])

  /// Returns the content with a value of the app's own beside `aps`. One that is there already is
  /// replaced, `aps` too.
  public func adding(_ key: String, _ value: JSON) -> Content {
    var members = payload.json?.object ?? JSONObject()
    members[key] = value
    return Content(pushType, JSON(.object(members)))
  }
}

extension JSON {
  fileprivate static func object(_ members: [JSONMember]) -> JSON {
    JSON(.object(JSONObject(members)))
  }
}
