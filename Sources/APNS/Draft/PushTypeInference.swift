public import JSONText

/// Infers the push type of a payload when none is given.
public enum PushTypeInference {
  /// The push type a payload clearly belongs to; nil when it must be given.
  ///
  /// The first that holds: only `mdm`; an `aps` of nothing but `content-available`; `event` with
  /// `content-state` or `timestamp`; `container-identifier`; an alert, badge or sound.
  public static func infer(from payload: JSON) -> PushType? {
    guard let root = payload.object else { return nil }
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
