import JSONText

/// A draft with facts that several rules need, computed once.
///
/// It is used for a single check and not shared, so that a run whose rows differ can check each of
/// them against all rules.
final class ExaminedDraft {
  /// The headers, as in ``Draft/fields``.
  let fields: [DraftField]
  /// The payload; nil if there is none.
  let payload: DraftPayload?
  /// The destination.
  let target: DraftTarget
  /// The context for the rules.
  let context: RuleContext
  /// The facts about the push type; nil if it is absent or unknown.
  let pushTypeInfo: PushTypeInfo?
  /// The push type; nil if absent or unknown.
  let knownType: PushType?
  /// The members of the payload; nil if it is not JSON or not an object.
  let root: JSONObject?
  /// The payload with its `aps`; nil if that is absent or not an object.
  let apsParts: APSParts?

  /// The faults of keys and values, according to ``PayloadKey/table``.
  private(set) lazy var keyFaults = findKeyFaults()
  /// True for a push to a Wallet pass or order, which only announces that there is an update.
  private(set) lazy var isForWallet = self[.topic].map { Topic.isOfWallet($0.value) } ?? false
  /// True if a late push is useless.
  var isUrgent: Bool {
    pushTypeInfo.map { $0.isUrgent && !$0.isServiceUpdate(payload?.json) } ?? false
  }
  /// True if the topic is present and well-formed.
  private(set) lazy var hasReadableTopic =
    self[.topic].map { (try? Topic($0.value)) != nil } ?? false
  /// The push type whose suffix the topic has; nil for none.
  private(set) lazy var topicSuffixOwner = self[.topic].flatMap {
    PushType.owner(ofSuffixIn: $0.value)
  }

  /// The type that determines the payload limit: the push type, or else the topic suffix's.
  var limitingType: PushTypeInfo? { self[.pushType] == nil ? topicSuffixOwner : pushTypeInfo }

  init(_ draft: Draft, _ context: RuleContext) {
    fields = draft.fields
    payload = draft.payload
    target = draft.target
    self.context = context
    pushTypeInfo = draft.pushTypeInfo
    knownType = pushTypeInfo?.type
    root = draft.payload?.json?.object
    let aps = root?["aps"]?.object
    apsParts = aps.flatMap { aps in draft.payload.map { APSParts(payload: $0, aps: aps) } }
  }

  /// The first header with this name.
  subscript(name: HeaderName) -> DraftField? { fields.first { $0.name == name.text } }
}

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
