internal import POSIX

/// Seconds since 1970 of a `date` header in the one form that servers may send (RFC 9110 section
/// 5.6.7), `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
func seconds(ofHTTPDate text: String) -> Int64? {
  let parts = text.split(whereSeparator: { $0 == " " || $0 == ":" })
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

private let months: [Substring] = [
  "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]
