internal import APNS
internal import HTTP2
internal import JSONText

// Members whose types occur only in scripts.
extension FileObject {
  /// A duration in milliseconds, such as `200ms` or `2s`.
  func milliseconds(_ key: String, isRequired: Bool = false) -> Int? {
    value(key, isRequired: isRequired).flatMap { milliseconds($0, key) }
  }

  /// Reads a value as a duration; anything else is reported as a problem.
  func milliseconds(_ value: JSON, _ key: String) -> Int? {
    if let text = value.string, let time = TimeSpan.milliseconds(text) { return time }
    report(
      key, value, "'\(key)' is not a duration of at most a day.", fix: TimeSpan.formAdvice)
    return nil
  }

  /// A required duration above zero.
  func positiveMilliseconds(_ key: String) -> Int? {
    guard let value = value(key, isRequired: true), let time = milliseconds(value, key) else {
      return nil
    }
    if time > 0 { return time }
    report(key, value, "'\(key)' must not be zero.", fix: "Write at least \"1ms\".")
    return nil
  }

  /// An HTTP/2 error code, by name or number.
  func errorCode(_ key: String) -> UInt32? { take(key).flatMap { errorCode($0, key) } }

  /// Reads a value as an error code; anything else is reported as a problem.
  func errorCode(_ value: JSON, _ key: String) -> UInt32? {
    if value.number != nil {
      return integer(value, key, in: 0...Int(UInt32.max)).map { UInt32($0) }
    }
    let names = errorCodeNames.enumerated().map { ($1, UInt32($0)) }
    return choice(value, key, among: names, else: "a number")
  }

  /// A way to end a connection.
  func drop(_ value: JSON, _ key: String) -> Drop? {
    choice(value, key, among: Drop.allCases.map { ($0.rawValue, $0) })
  }

  /// A reason, which may be any that APNs could use.
  func reason(_ key: String) -> Reason? {
    guard let value = take(key), let text = text(value, key) else { return nil }
    let reason = Reason(rawValue: text)
    if reason == nil {
      report(
        key, value, "This is not a reason.", fix: "Use 1 to 64 printable ASCII characters.")
    }
    return reason
  }

  /// A freeze: a duration, or `true` for permanent.
  func freeze(_ value: JSON, _ key: String) -> Freeze? {
    if value.bool == true { return Freeze(milliseconds: nil) }
    return milliseconds(value, key).map { Freeze(milliseconds: $0) }
  }

  /// Header fields or trailers: each key has one string or several.
  func fields(_ key: String) -> [Field] {
    guard let object = object(key) else { return [] }
    return object.takeAll().flatMap { member in
      let values = member.value.array ?? [member.value]
      return values.compactMap { object.field(member.key, $0) }
    }
  }

  /// Text that can be the value of a header.
  func headerText(_ key: String) -> String? {
    guard let value = take(key), let text = text(value, key) else { return nil }
    if Self.isHeaderValue(text) { return text }
    report(
      key, value, "'\(key)' is not allowed in a header.", fix: "Remove the control characters.")
    return nil
  }

  private static func isHeaderValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private func field(_ name: String, _ value: JSON) -> Field? {
    guard let text = text(value, name) else { return nil }
    let isName = !name.isEmpty && name.utf8.allSatisfy { Self.nameBytes.contains($0) }
    if isName && Self.isHeaderValue(text) { return Field(name, text) }
    report(
      name, value, "This is not allowed in a header.",
      fix: "Use lowercase letters, digits and - in the name, and no control characters.")
    return nil
  }

  private static let nameBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)
}

/// The names of HTTP/2's error codes (RFC 9113 section 7); the index is the code.
private let errorCodeNames = [
  "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
  "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
  "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
]
