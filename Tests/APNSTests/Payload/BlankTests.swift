import JSONText
import Testing

@testable import APNS

@Suite("Blank text")
struct BlankTests {
  static let texts: [(text: String, isBlank: Bool)] = [
    ("", true), (" ", true), ("\t\r\n ", true), ("A", false), (" A", false), ("n", false),
    ("\\n", false), ("\\", false), ("\"", false), ("\u{A0}", false), ("\u{0B}", false),
    ("é", false),
  ]

  @Test("is so before it is escaped and after", arguments: texts)
  func blank(_ row: (text: String, isBlank: Bool)) {
    #expect(row.text.isBlank == row.isBlank)
    let json = JSON(.string(row.text)).encoded(.wire)
    #expect(json.dropFirst().dropLast().isBlankJSON == row.isBlank)
  }

  @Test(
    "A length of time is told in one unit",
    arguments: [
      (0, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"),
      (7199, "119 minutes"), (7200, "2 hours"), (172_800, "2 days"), (10_000_000, "115 days"),
      (-600, "10 minutes"), (.min, "106751991167300 days"),
    ])
  func span(seconds: Int64, text: String) { #expect(TimeSpan.text(seconds: seconds) == text) }
}
