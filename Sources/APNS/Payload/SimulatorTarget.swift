public import JSONText

/// The key by which an `.apns` file names the app it is for. It never goes to APNs.
public enum SimulatorTarget {
  /// The key, at the top of the payload.
  public static let key = "Simulator Target Bundle"

  /// A payload without the key, and the value it had; nil when it was not there.
  public static func strip(from payload: JSON) -> (payload: JSON, target: JSON?) {
    guard var root = payload.object, let target = root[key] else { return (payload, nil) }
    root[key] = nil
    return (JSON(.object(root), at: payload.position), target)
  }
}
