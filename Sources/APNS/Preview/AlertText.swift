public import JSONText

/// The texts of an alert as written, in full.
public struct AlertText: Sendable, Hashable {
  /// The title; nil if there is none.
  public let title: String?
  /// The subtitle; nil if there is none.
  public let subtitle: String?
  /// The body; nil if there is none.
  public let body: String?

  /// Extracts the texts of a payload; nil if there is none to show. A text from the app's localized
  /// strings appears as `[KEY: argument, argument]`.
  public init?(_ payload: JSON) {
    guard let alert = payload["aps"]?["alert"] else { return nil }
    title = Self.text(alert["title"], key: "title-loc-key", in: alert)
    subtitle = Self.text(alert["subtitle"], key: "subtitle-loc-key", in: alert)
    body = Self.text(alert.string == nil ? alert["body"] : alert, key: "loc-key", in: alert)
    if title == nil, subtitle == nil, body == nil { return nil }
  }

  private static func text(_ value: JSON?, key: String, in alert: JSON) -> String? {
    if let text = value?.string { return text.isEmpty ? nil : text }
    // In a Live Activity the text may be an object that contains the key.
    let (holder, name) = value?.object == nil ? (alert, key) : (value ?? alert, "loc-key")
    guard let localized = holder[name]?.string else { return nil }
    let arguments = holder[name.dropLast(3) + "args"]?.array ?? []
    let words = arguments.map { $0.string ?? $0.encodedString() }
    return words.isEmpty ? "[\(localized)]" : "[\(localized): \(words.joined(separator: ", "))]"
  }
}
