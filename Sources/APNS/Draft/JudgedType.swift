// What a notification without a push type is taken for.
extension Draft {
  /// The push type as far as it can be told: the one that is written, or else the one whose suffix
  /// the topic ends in, or that the payload clearly belongs to; nil for an unknown one.
  public var judgedPushType: PushType? {
    if let pushType { return PushType.info(named: pushType)?.type }
    if let owner = topic.flatMap(PushType.owner(ofSuffixIn:)) { return owner.type }
    return payload?.json.flatMap { PushTypeInference.infer(from: $0, topic: topic) }
  }

  /// The longest payload it may have, in bytes, by its push type or else by its topic.
  public var payloadLimit: Int {
    let info = pushType == nil ? topic.flatMap(PushType.owner(ofSuffixIn:)) : pushTypeInfo
    return info?.payloadLimit ?? PushType.usualPayloadLimit
  }
}
