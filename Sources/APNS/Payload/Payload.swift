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
