import HTTP2
import Testing

@Suite("The date of an answer")
struct HTTPDateTests {
  static let dates: [(text: String, seconds: Int64?)] = [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("", nil), ("now", nil),
    ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun Nov  6 08:49:37 1994", nil),
    ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
    ("Sun, 6x Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nox 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov -994 08:49:37 GMT", nil), ("Sun, 06 Nov 99999999999 08:49:37 GMT", nil),
  ]

  @Test("is read in the one form that servers may send", arguments: dates)
  func read(_ row: (text: String, seconds: Int64?)) {
    #expect(HTTPDate.seconds(row.text) == row.seconds)
  }

  @Test("is written in that form", arguments: dates.prefix(3))
  func written(_ row: (text: String, seconds: Int64?)) throws {
    #expect(HTTPDate.text(seconds: try #require(row.seconds)) == row.text)
  }
}
