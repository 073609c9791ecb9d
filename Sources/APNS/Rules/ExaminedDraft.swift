import JSONText

/// A draft, with what several rules ask of it found out once.
///
/// It belongs to one look at the draft and is not shared, so that a run whose rows differ can hold
/// each of them to all the rules.
final class ExaminedDraft {
  /// The headers, as in ``Draft/fields``.
  let fields: [DraftField]
  /// The payload; nil when there is none.
  let payload: DraftPayload?
  /// Where it goes.
  let target: DraftTarget
  /// What the rules have to know beside the draft.
  let context: RuleContext
  /// What is known of the push type; nil when it is absent or unknown.
  let pushTypeInfo: PushTypeInfo?
  /// The push type; nil when it is absent or unknown.
  let knownType: PushType?
  /// The members of the payload; nil when it cannot be read, or is not an object.
  let root: JSONObject?
  /// The payload with its `aps`; nil when there is none, or it is not an object.
  let apsParts: APSParts?

  /// What is wrong with keys and values, going by ``PayloadKey/table``.
  private(set) lazy var keyFaults = findKeyFaults()
  /// Whether it is about a pass in Wallet, which is told that there is news and nothing else: the
  /// payload is an empty object (Apple: Adding a Web Service to Update Passes).
  private(set) lazy var isForPass = self[.topic].map { Topic.isOfPass($0.value) } ?? false
  /// Whether the topic is there and has the form of one.
  private(set) lazy var hasReadableTopic =
    self[.topic].map { (try? Topic($0.value)) != nil } ?? false
  /// The push type whose suffix the topic ends in; nil for none.
  private(set) lazy var topicSuffixOwner = self[.topic].flatMap {
    PushType.owner(ofSuffixIn: $0.value)
  }

  /// The type whose payload limit counts: without a push type that of the topic's suffix.
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
