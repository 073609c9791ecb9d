import APNS
import PushModel
import Testing

@testable import Recipients

@Suite("The time of registration")
struct RegistrationTimeTests {
  static let times: [(text: String, seconds: Int64?)] = [
    ("", nil), ("  ", nil), ("0", 0), ("1700000000", 1_700_000_000),
    (" 1700000000 ", 1_700_000_000),
    ("1700000000123", 1_700_000_000), ("99999999999", 99_999_999_999),
    ("100000000000", 100_000_000), ("1700000000.75", 1_700_000_000),
    ("2023-11-14T22:13:20Z", 1_700_000_000), ("2023-11-14T22:13:20.123Z", 1_700_000_000),
    ("2023-11-14T23:13:20+01:00", 1_700_000_000), ("2023-11-14", 1_699_920_000),
    // As PostgreSQL's COPY writes timestamptz.
    ("2023-11-14 22:13:20.123456+00", 1_700_000_000), ("2023-11-14 17:13:20-05", 1_700_000_000),
    ("2023-11-15 03:43:20+05:30", 1_700_000_000), ("2023-11-14T22:13+00", 1_699_999_980),
  ]

  @Test("is epoch seconds, milliseconds or ISO 8601", arguments: times)
  func reads(_ row: (text: String, seconds: Int64?)) throws {
    #expect(try seconds(row.text) == row.seconds)
  }

  static let others: [(text: String, fault: TimeFault)] =
    [
      "soon", "-1", "1e9", "1700000000.", "1700000000.x", ".5", "1700000000 5", "1 700",
      "14-11-2023", "11/14/2023",
    ].map { ($0, .form) } + [
      ("2023-11-14T22:13:20", .noOffset), ("2023-11-14 22:13:20.5", .noOffset),
      ("2023-11-14T22:13:20.Z", .rest), ("2023-11-14 22", .rest),
      ("2023-11-14 22:13:20 UTC", .rest),
      ("2023-11-14 22:13:20+1", .rest), ("2023-11-14 22:13:20+01:", .rest),
      ("2023-13-01", .part("month", 13, 1...12)), ("2023-02-29", .part("day", 29, 1...28)),
      ("0000-00-00 00:00:00", .part("year", 0, 1970...9999)),
      ("2023-11-14T24:00:00Z", .part("hour", 24, 0...23)),
      ("2023-11-14T22:60:00Z", .part("minute", 60, 0...59)),
      ("2023-11-14T22:13:60Z", .part("second", 60, 0...59)),
      ("2023-11-14T22:13:20+24", .part("offset's hour", 24, 0...23)),
    ]

  @Test("is nothing else, and the fault is told", arguments: others)
  func refuses(_ row: (text: String, fault: TimeFault)) {
    #expect(throws: LineFault.registered(row.text, row.fault)) { try seconds(row.text) }
  }

  @Test("shows no device token that stands in its place")
  func hidden() {
    let token = String(repeating: "0123456789abcdef", count: 4)
    #expect(throws: LineFault.registered("…89abcdef", .form)) { try seconds(token) }
  }

  private func seconds(_ text: String) throws(LineFault) -> Int64? {
    var text = text
    return try text.withUTF8 { bytes in
      Result { () throws(LineFault) in try RegistrationTime.seconds(bytes) }
    }.get()
  }
}
