internal import HTTP2
internal import POSIX

/// The `date` header of the answers (RFC 9110 section 6.6.1), made anew once a second.
struct DateField {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// The years of four digits that IMF-fixdate has room for, from 1970 on.
  private static let seconds = 0.0...253_402_300_799

  private var second = -1
  private(set) var field = Field("date", "")

  /// Sets the time, in seconds since 1970.
  mutating func update(to time: Double) {
    let second = Int(min(max(time, Self.seconds.lowerBound), Self.seconds.upperBound))
    guard second != self.second else { return }
    self.second = second
    field.value = Self.text(second)
  }

  /// A time as IMF-fixdate (RFC 9110 section 5.6.7).
  static func text(_ second: Int) -> String {
    var (time, parts) = (time_t(second), tm())
    gmtime_r(&time, &parts)
    let date = "\(digits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(digits).joined(separator: ":")
    return "\(days[Int(parts.tm_wday)]), \(date) \(clock) GMT"
  }

  private static func digits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
