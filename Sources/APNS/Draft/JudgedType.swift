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

extension PushType {
  /// The type whose suffix a topic ends in; nil for none.
  static func owner(ofSuffixIn topic: String) -> PushTypeInfo? {
    table.indices.first { !table[$0].suffix.isEmpty && topic.ends(in: table[$0].suffix) }
      .map { table[$0] }
  }
}

extension String {
  // By bytes: `hasSuffix` compares by Unicode's equivalences, which a topic has no use for.
  func ends(in suffix: String) -> Bool {
    let excess = utf8.count - suffix.utf8.count
    return excess >= 0 && utf8.dropFirst(excess).elementsEqual(suffix.utf8)
  }
}
