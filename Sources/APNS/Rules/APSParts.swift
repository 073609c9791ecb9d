import JSONText

/// A draft's payload and its `aps` object.
struct APSParts {
  /// The payload.
  let payload: DraftPayload
  /// The members of `aps`.
  let aps: JSONObject

  /// The event of a Live Activity; nil if absent or unknown.
  var event: LiveActivityEvent? { aps["event"]?.string.flatMap(LiveActivityEvent.init) }

  /// Returns true if `aps` has a key with a value other than null.
  func has(_ key: String) -> Bool {
    aps[key].map { $0.content != .null } ?? false
  }

  /// A finding about the value of a key of `aps`.
  func finding(_ key: String, _ value: JSON?, _ message: String, fix: String? = nil) -> Finding {
    payload.finding(PayloadPath("aps", key), value, message, fix: fix)
  }

  /// A finding about a key missing from `aps`.
  func missing(_ key: String, _ message: String, fix: String? = nil) -> Finding {
    finding(key, aps[key] ?? payload.aps, message, fix: fix)
  }
}
