/// A header as written.
public struct DraftField: Sendable, Hashable {
  /// The name, in lowercase but otherwise as written.
  public let name: String
  /// The value, as written.
  public let value: String
  /// The source of the header; nil if it was received or supplied as a default.
  public let origin: Origin?

  /// Creates a header as written.
  public init(_ name: String, _ value: String, from origin: Origin? = nil) {
    self.name = name.lowercased()
    self.value = value
    self.origin = origin
  }

  /// Creates a header with a known name.
  public init(_ name: HeaderName, _ value: String, from origin: Origin? = nil) {
    self.name = name.text
    self.value = value
    self.origin = origin
  }

  /// Creates `apns-expiration` from user input, including `1h` or `2026-11-21`. Invalid text is
  /// kept as it is, so that the rules report it along with everything else.
  ///
  /// - Parameters:
  ///   - text: Input for ``Expiration/init(_:now:)``.
  ///   - now: Seconds since 1970.
  ///   - origin: The source of the text.
  /// - Returns: The header, in wire format if the text is valid.
  public static func expiration(
    _ text: String, now: Int64, from origin: Origin? = nil
  ) -> DraftField {
    let wire = (try? Expiration(text, now: now))?.description
    return DraftField(.expiration, wire ?? text, from: origin)
  }
}
