public import APNS
public import JSONText

/// The content of a notification: its push type and its payload.
public struct PushContent: Sendable, Hashable {
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

  init(_ pushType: PushType, aps: JSONObject) {
    self.init(pushType, ["aps": JSON(.object(aps))])
  }

  /// Returns the content with a value of the app's own beside `aps`. One that is there already is
  /// replaced, `aps` too.
  public func adding(_ key: String, _ value: JSON) -> PushContent {
    var members = payload.json?.object ?? JSONObject()
    members[key] = value
    return PushContent(pushType, JSON(.object(members)))
  }

  /// Returns the content with a value in `aps`, for a key that has no argument here. One that is
  /// there already is replaced.
  public func addingToAPS(_ key: String, _ value: JSON) -> PushContent {
    var aps = payload.aps?.object ?? JSONObject()
    aps[key] = value
    return adding("aps", JSON(.object(aps)))
  }
}

extension JSONObject {
  /// Adds a member unless there is no value.
  mutating func add(_ key: String, _ value: JSON?) {
    if let value { self[key] = value }
  }

  /// Adds text unless there is none.
  mutating func add(_ key: String, _ text: String?) { add(key, text.map { JSON(.string($0)) }) }

  /// Adds a number unless there is none; one that is not finite becomes null, which breaks a rule.
  mutating func add(_ key: String, _ number: Double?) {
    add(key, number.map { JSON(floatLiteral: $0) })
  }
}
