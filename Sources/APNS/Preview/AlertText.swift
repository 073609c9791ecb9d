public import JSONText

/// The texts of an alert as they are written, uncut.
public struct AlertText: Sendable, Hashable {
  /// The title; nil when there is none.
  public let title: String?
  /// The subtitle; nil when there is none.
  public let subtitle: String?
  /// The text itself; nil when there is none.
  public let body: String?

  /// The texts of a payload; nil when there is none to show. One that the app's strings hold stands
  /// as `[KEY: argument, argument]`.
  public init?(_ payload: JSON) {
    guard let alert = payload["aps"]?["alert"] else { return nil }
    title = Self.text(alert["title"], key: "title-loc-key", in: alert)
    subtitle = Self.text(alert["subtitle"], key: "subtitle-loc-key", in: alert)
    body = Self.text(alert.string == nil ? alert["body"] : alert, key: "loc-key", in: alert)
    if title == nil, subtitle == nil, body == nil { return nil }
  }

  private static func text(_ value: JSON?, key: String, in alert: JSON) -> String? {
    if let text = value?.string { return text.isEmpty ? nil : text }
    // In a Live Activity the text may be an object with the key in it.
    let (holder, name) = value?.object == nil ? (alert, key) : (value ?? alert, "loc-key")
    guard let localized = holder[name]?.string else { return nil }
    let arguments = holder[name.dropLast(3) + "args"]?.array ?? []
    let words = arguments.map { $0.string ?? $0.encodedString() }
    return words.isEmpty ? "[\(localized)]" : "[\(localized): \(words.joined(separator: ", "))]"
  }
}
