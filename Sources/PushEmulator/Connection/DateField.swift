internal import HTTP2

/// The `date` header of answers (RFC 9110 section 6.6.1), regenerated once a second.
struct DateField {
  /// The range an HTTP date can express with four-digit years, starting in 1970.
  private static let seconds = 0.0...253_402_300_799

  private var second: Int64 = -1
  private(set) var field = Field("date", "")

  /// Sets the time, in seconds since 1970.
  mutating func update(to time: Double) {
    let second = Int64(min(max(time, Self.seconds.lowerBound), Self.seconds.upperBound))
    guard second != self.second else { return }
    self.second = second
    field.value = HTTPDate.text(seconds: second)
  }
}
