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
  ]

  @Test("is epoch seconds, milliseconds or ISO 8601", arguments: times)
  func reads(_ row: (text: String, seconds: Int64?)) throws {
    #expect(try seconds(row.text) == row.seconds)
  }

  @Test(
    "is nothing else",
    arguments: [
      "soon", "-1", "1e9", "1700000000.", "1700000000.x", ".5", "1700000000 5",
      "2023-11-14T22:13:20", "2023-11-14T22:13:20.Z", "2023-13-01", "1 700",
    ])
  func refuses(_ text: String) {
    #expect(throws: LineFault.registered(text)) { try seconds(text) }
  }

  @Test("shows no device token that stands in its place")
  func hidden() {
    let token = String(repeating: "0123456789abcdef", count: 4)
    #expect(throws: LineFault.registered("…89abcdef")) { try seconds(token) }
  }

  private func seconds(_ text: String) throws(LineFault) -> Int64? {
    var text = text
    return try text.withUTF8 { bytes in
      Result { () throws(LineFault) in try RegistrationTime.seconds(bytes) }
    }.get()
  }
}
