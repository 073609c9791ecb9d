// The push type assumed for a notification without one.
extension Draft {
  /// The push type: as written, otherwise from the topic's suffix, otherwise inferred from the
  /// payload; nil if unknown.
  public var judgedPushType: PushType? {
    if pushType != nil { return pushTypeInfo?.type }
    if let owner = topic.flatMap(PushType.owner(ofSuffixIn:)) { return owner.type }
    return PushTypeInference.infer(from: payload?.json, topic: topic, for: target)
  }

  /// The maximum payload size in bytes, by destination and push type, or else the topic.
  public var payloadLimit: Int {
    let info = pushType == nil ? topic.flatMap(PushType.owner(ofSuffixIn:)) : pushTypeInfo
    return target.payloadLimit(of: info)
  }
}
