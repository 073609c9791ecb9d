public import JSONText

/// The exact bytes of a payload to send. Never empty.
public struct Payload: Sendable, Hashable {
  /// The bytes: one JSON object in UTF-8.
  public let bytes: [UInt8]

  /// Creates a payload; nil if there are no bytes.
  public init?(_ bytes: [UInt8]) {
    if bytes.isEmpty { return nil }
    self.bytes = bytes
  }

  /// Creates a payload from rendered bytes; even the shortest JSON text is not empty.
  init(rendered bytes: [UInt8]) { self.bytes = bytes }
}

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
