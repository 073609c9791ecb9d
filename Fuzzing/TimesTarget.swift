import APNS
import HTTP2
import POSIX

extension FuzzTarget {
  /// Times from lists, headers, files and clocks: as text, and as the number in the first 8 bytes.
  static let times = FuzzTarget("Times") { bytes in
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    try expectClamped(Int64(bitPattern: number))
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    for seconds in [ISO8601.seconds(text), HTTPDate.seconds(text)].compactMap(\.self) {
      let shown = min(seconds, 253_402_300_799)
      try expect(ISO8601.seconds(ISO8601.text(seconds: shown)) == shown, "a time reads as it was")
    }
    if let milliseconds = TimeSpan.milliseconds(text) {
      try expect(0...86_400_000 ~= milliseconds, "a span in milliseconds is at most a day")
    }
    for now: Int64 in [0, 1_800_000_000, 253_402_300_799] {
      if let expiration = try? Expiration(text, now: now) {
        try expect(expiration.seconds >= 0, "an expiration is not before 1970")
      }
    }
  }

  private static func expectClamped(_ seconds: Int64) throws {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: 999_999_999)
    if seconds.magnitude < 9_000_000_000 {
      let nanoseconds = seconds * 1_000_000_000 + 999_999_999
      try expect(time.nanoseconds == nanoseconds, "nanoseconds are exact where they fit")
    }
    try expect(
      time.nanoseconds.signum() == (seconds < 0 ? -1 : 1), "clamped nanoseconds keep their sign")
    try expect(abs(time.milliseconds) < 1 << 48, "milliseconds are of a year up to 9999")
    try expect(ISO8601.text(seconds: seconds).utf8.count == 20, "a time has four digits a year")
    try expect(ISO8601.text(milliseconds: seconds).utf8.count == 24, "and three after the second")
    try expect(!TimeSpan.text(seconds: seconds).isEmpty, "a span has words")
  }
}
