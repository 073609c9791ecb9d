/// A header as written.
public struct DraftField: Sendable, Hashable {
  /// The name, in lower case; otherwise as written.
  public let name: String
  /// The value, as written.
  public let value: String
  /// Where it was written; nil for one that was received or filled in.
  public let origin: Origin?

  /// A header as it was written.
  public init(_ name: String, _ value: String, from origin: Origin? = nil) {
    self.name = name.lowercased()
    self.value = value
    self.origin = origin
  }

  /// A header fanfare knows.
  public init(_ name: HeaderName, _ value: String, from origin: Origin? = nil) {
    self.name = name.text
    self.value = value
    self.origin = origin
  }

  /// `apns-expiration` from what a person wrote, `1h` or `2026-11-21` included. Text that cannot be
  /// read is kept as it is, so that the rules report it with all the rest.
  ///
  /// - Parameters:
  ///   - text: What ``Expiration/init(_:now:)`` takes.
  ///   - now: Seconds since 1970.
  ///   - origin: Where it was written.
  /// - Returns: The header, in its own form when the text could be read.
  public static func expiration(
    _ text: String, now: Int64, from origin: Origin? = nil
  ) -> DraftField {
    let wire = (try? Expiration(text, now: now))?.description
    return DraftField(.expiration, wire ?? text, from: origin)
  }
}
