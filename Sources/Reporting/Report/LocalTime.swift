internal import APNS

/// A time in a zone, for people.
package struct LocalTime {
  /// `2026-11-24T06:12:33+01:00`; with a `Z` in UTC.
  let text: String
  /// `11-24 06:12+01`
  let short: String

  /// - Parameters:
  ///   - time: the time in seconds since 1970.
  ///   - offset: the zone's offset from UTC at that time, in seconds.
  init(_ time: Int64, offset: Int64) {
    let local = ISO8601.text(seconds: time + offset).dropLast()
    let zone = offset == 0 ? "Z" : Self.zone(offset)
    text = local + zone
    short =
      local.prefix(16).suffix(11).map { $0 == "T" ? " " : String($0) }.joined()
      + (zone.hasSuffix(":00") ? String(zone.dropLast(3)) : zone)
  }

  /// An offset from UTC: `+01:00`.
  package static func zone(_ offset: Int64) -> String {
    let minutes = offset.magnitude / 60
    let digits = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(offset < 0 ? "-" : "+")\(digits.joined(separator: ":"))"
  }
}
