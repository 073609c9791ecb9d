public import JSONText

/// The key with which an `.apns` file names its target app. It is never sent to APNs.
public enum SimulatorTarget {
  /// The key, at the top of the payload.
  public static let key = "Simulator Target Bundle"

  /// Returns the payload without the key, and the key's value; nil if it was absent.
  public static func strip(from payload: JSON) -> (payload: JSON, target: JSON?) {
    guard var root = payload.object, let target = root[key] else { return (payload, nil) }
    root[key] = nil
    return (JSON(.object(root), at: payload.position), target)
  }
}
