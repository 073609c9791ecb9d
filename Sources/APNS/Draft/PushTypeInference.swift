public import JSONText

/// Infers the push type of a payload that has none.
public enum PushTypeInference {
  /// Returns the push type that a payload clearly belongs to; nil if it has to be specified. A push
  /// to a channel always has the type `liveactivity`.
  ///
  /// The first match wins: `mdm` and a topic of device management; only `mdm`; an `aps` with nothing
  /// but `content-available`; `event` with `content-state` or `timestamp`; `container-identifier`; an
  /// alert, badge or sound. The empty payload of a Wallet pass or order is a background push.
  ///
  /// - Parameters:
  ///   - payload: The payload; nil if there is none or it is not JSON.
  ///   - topic: The topic, or the bundle ID it is based on; nil if unknown.
  ///   - target: The destination.
  public static func infer(
    from payload: JSON?, topic: String? = nil, for target: DraftTarget = .device
  ) -> PushType? {
    if target != .device { return .liveactivity }
    guard let root = payload?.object else { return nil }
    if root["mdm"] != nil, topic.map(Topic.isOfManagement) ?? false { return .mdm }
    if root["aps"] == nil, topic.map(Topic.isOfWallet) ?? false { return .background }
    let aps = root["aps"]?.object?.keys ?? []
    if root.keys == ["mdm"] { return .mdm }
    if aps == ["content-available"] { return .background }
    if aps.contains("event"), aps.contains("content-state") || aps.contains("timestamp") {
      return .liveactivity
    }
    if root["container-identifier"] != nil { return .fileprovider }
    return aps.contains { ["alert", "badge", "sound"].contains($0) } ? .alert : nil
  }
}

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
