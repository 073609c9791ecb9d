internal import POSIX

/// Dates in HTTP's form: IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
public enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Formats a time for a `date` header.
  ///
  /// - Parameter seconds: since 1970, from year 0 to 9999, the years that the format can express.
  public static func text(seconds: Int64) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    let date = "\(digits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":")
    return "\(days[Int(parts.tm_wday)]), \(date) \(clock) GMT"
  }

  /// Parses a `date` header into seconds since 1970, from 1970 on; nil for text in another format.
  public static func seconds(_ text: String) -> Int64? {
    let parts = text.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
    guard parts.count == 8, parts[7] == "GMT", let month = months.firstIndex(of: parts[2]) else {
      return nil
    }
    let numbers = [1, 3, 4, 5, 6].compactMap { Int32(parts[$0]) }
    let limits: [ClosedRange<Int32>] = [1...31, 1970...9999, 0...23, 0...59, 0...60]
    guard numbers.count == limits.count, zip(limits, numbers).allSatisfy({ $0.contains($1) })
    else { return nil }
    var time = tm()
    (time.tm_mday, time.tm_mon, time.tm_year) = (numbers[0], Int32(month), numbers[1] - 1900)
    (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[2], numbers[3], numbers[4])
    return Int64(timegm(&time))
  }

  private static func digits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
