/// The bytes of a payload exactly as they are sent. Never empty.
public struct Payload: Sendable, Hashable {
  /// The bytes: one JSON object in UTF-8.
  public let bytes: [UInt8]

  /// A payload of these bytes; nil when there are none.
  public init?(_ bytes: [UInt8]) {
    if bytes.isEmpty { return nil }
    self.bytes = bytes
  }

  /// A payload that was rendered: the shortest JSON text has a byte.
  init(rendered bytes: [UInt8]) { self.bytes = bytes }
}
