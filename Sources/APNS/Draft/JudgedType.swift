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

extension PushType {
  /// The type whose suffix a topic has; nil for none.
  static func owner(ofSuffixIn topic: String) -> PushTypeInfo? {
    table.indices.first { !table[$0].suffix.isEmpty && topic.ends(in: table[$0].suffix) }
      .map { table[$0] }
  }
}

extension String {
  // Compared by bytes: `hasSuffix` compares by Unicode equivalence, which topics do not need.
  func ends(in suffix: String) -> Bool {
    let excess = utf8.count - suffix.utf8.count
    return excess >= 0 && utf8.dropFirst(excess).elementsEqual(suffix.utf8)
  }
}
