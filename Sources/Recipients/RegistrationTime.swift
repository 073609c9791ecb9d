internal import APNS
internal import PushModel

/// Parses the time at which an app registered for pushes, as given in a list.
enum RegistrationTime {
  /// Whole numbers from here on are milliseconds; as seconds they would lie beyond the year 5000.
  private static let firstMilliseconds: Int64 = 100_000_000_000

  /// Returns seconds since 1970, from a count of seconds or milliseconds or from ISO 8601, with or
  /// without a fraction; nil for an empty cell.
  static func seconds(_ cell: UnsafeBufferPointer<UInt8>) throws(LineFault) -> Int64? {
    let text = cell.trimmed
    if text.isEmpty { return nil }
    if let seconds = epoch(text) ?? calendar(text) { return seconds }
    throw .registered(String(decoding: text, as: UTF8.self).excerptWithoutToken)
  }

  private static func epoch(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let digits = text.prefix(while: \.isDecimalDigit)
    guard 1...15 ~= digits.count, fraction(of: text, at: digits.endIndex) == text.count else {
      return nil
    }
    let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    return number < firstMilliseconds ? number : number / 1000
  }

  private static func calendar(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    ISO8601.seconds(String(decoding: text, as: UTF8.self))
  }

  /// Returns the end of the fraction that begins at a dot; the dot itself when there is none.
  private static func fraction(of text: UnsafeBufferPointer<UInt8>, at dot: Int) -> Int {
    guard dot < text.count, text[dot] == UInt8(ascii: ".") else { return dot }
    let digits = text[(dot + 1)...].prefix(while: \.isDecimalDigit)
    return digits.isEmpty ? dot : digits.endIndex
  }
}

extension UInt8 {
  fileprivate var isDecimalDigit: Bool { self &- 0x30 < 10 }
}
