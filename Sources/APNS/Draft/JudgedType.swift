// What a notification without a push type is taken for.
extension Draft {
  /// The push type as far as it can be told: the one that is written, or else the one whose suffix
  /// the topic ends in, or that the payload clearly belongs to; nil for an unknown one.
  public var judgedPushType: PushType? {
    if pushType != nil { return pushTypeInfo?.type }
    if let owner = topic.flatMap(PushType.owner(ofSuffixIn:)) { return owner.type }
    return PushTypeInference.infer(from: payload?.json, topic: topic, for: target)
  }

  /// The longest payload it may have, in bytes, by where it goes, its push type or else its topic.
  public var payloadLimit: Int {
    let info = pushType == nil ? topic.flatMap(PushType.owner(ofSuffixIn:)) : pushTypeInfo
    return target.payloadLimit(of: info)
  }
}
