public import JSONText

/// Infers the push type of a payload when none is given.
public enum PushTypeInference {
  /// The push type a payload clearly belongs to; nil when it must be given. A push to a channel is
  /// of type `liveactivity`, whatever its payload.
  ///
  /// The first that holds: only `mdm`; an `aps` of nothing but `content-available`; `event` with
  /// `content-state` or `timestamp`; `container-identifier`; an alert, badge or sound. The empty
  /// payload of a Wallet pass is sent in the background.
  ///
  /// - Parameters:
  ///   - payload: The payload; nil when there is none, or it cannot be read.
  ///   - topic: The topic, or the bundle ID that it is made of; nil when it is not known.
  ///   - target: Where the push goes.
  public static func infer(
    from payload: JSON?, topic: String? = nil, for target: DraftTarget = .device
  ) -> PushType? {
    if target != .device { return .liveactivity }
    guard let root = payload?.object else { return nil }
    if root["aps"] == nil, topic.map(Topic.isOfPass) ?? false { return .background }
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
