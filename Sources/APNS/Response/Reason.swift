/// The reason APNs rejected a push. An open set: unknown strings survive a round trip.
public struct Reason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The maximum length of the string, in bytes.
  public static let maximumLength = 64

  /// The string on the wire.
  public let rawValue: String

  /// Creates a reason; nil unless the string is 1 to 64 printable ASCII characters and not only
  /// spaces, so that a reason can be shown and stored as it is.
  public init?(rawValue: String) {
    guard Self.isPrintable(rawValue.utf8) else { return nil }
    self.rawValue = rawValue
  }

  /// Creates a reason from bytes, under the same conditions. A known reason is not copied.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let candidates = bytes.count < Self.byLength.count ? Self.byLength[bytes.count] : []
    if let known = candidates.first(where: { $0.rawValue.utf8.elementsEqual(bytes) }) {
      self = known
    } else {
      guard Self.isPrintable(bytes) else { return nil }
      rawValue = String(decoding: bytes, as: UTF8.self)
    }
  }

  init(known word: String) { rawValue = word }

  /// Creates a reason from any string: unprintable characters are written as `\u{1b}`, and a string
  /// that is too long ends in dots. Nil if there is nothing to show.
  package init?(escaping word: some StringProtocol) {
    let parts = word.unicodeScalars.map {
      0x20...0x7E ~= $0.value ? String($0) : "\\u{" + String($0.value, radix: 16) + "}"
    }
    let whole = parts.joined()
    self.init(rawValue: whole.utf8.count <= Self.maximumLength ? whole : Self.shortened(parts))
  }

  private static func shortened(_ parts: [String]) -> String {
    var text = ""
    for part in parts {
      guard text.utf8.count + part.utf8.count <= maximumLength - 3 else { break }
      text += part
    }
    return text + "..."
  }

  /// The string on the wire.
  public var description: String { rawValue }

  private static func isPrintable(_ bytes: some Collection<UInt8>) -> Bool {
    1...maximumLength ~= bytes.count && bytes.allSatisfy { 0x20...0x7E ~= $0 }
      && bytes.contains { $0 != 0x20 }
  }

  private static let byLength: [[Reason]] = (0...maximumLength).map { length in
    table.map(\.reason).filter { $0.rawValue.utf8.count == length }
  }
}

extension Reason {
  /// The reason's row in ``table``; nil if it is unknown.
  public var info: ReasonInfo? { Self.rows[self] }

  private static let rows = Dictionary(
    table.map { ($0.reason, $0) }, uniquingKeysWith: { first, _ in first })
}
