internal import HTTP2

/// The wait that an answer's `retry-after` asks for (RFC 9110 section 10.2.3). A value.
struct RetryAfter {
  /// The longest wait that is granted, in seconds.
  private static let longest: Int64 = 3600

  /// The length of the wait, in nanoseconds.
  let nanoseconds: UInt64

  /// - Parameters:
  ///   - text: the field's value: seconds, or a date.
  ///   - now: in seconds since 1970 UTC.
  /// - Returns: nil when it is neither, or asks for no wait.
  init?(_ text: String, now: Int64) {
    guard let seconds = Self.seconds(text) ?? HTTPDate.seconds(text).map({ $0 - now }), seconds > 0
    else { return nil }
    nanoseconds = UInt64(min(seconds, Self.longest)) * 1_000_000_000
  }

  /// Parses digits only. A number that does not fit counts as the largest that does.
  private static func seconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int64(text) ?? .max
  }
}
