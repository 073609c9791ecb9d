import HTTP2
import Testing

@testable import PushEmulator

@Suite("DateField")
struct DateFieldTests {
  static let dates: [(Double, String)] = [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"), (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ]

  @Test("is an IMF-fixdate of 29 characters", arguments: dates)
  func isFixdate(_ row: (time: Double, text: String)) {
    var date = DateField()
    date.update(to: row.time)
    #expect(date.field.name == "date" && date.field.value == row.text)
    #expect(date.field.value.utf8.count == 29)
  }

  @Test("follows the clock, forwards and back")
  func follows() {
    var date = DateField()
    for (time, end) in [
      (59.5, "00:00:59 GMT"), (59.9, "00:00:59 GMT"), (60, "00:01:00 GMT"), (7, "00:00:07 GMT"),
    ] {
      date.update(to: time)
      #expect(date.field.value.hasSuffix(end))
    }
  }
}
