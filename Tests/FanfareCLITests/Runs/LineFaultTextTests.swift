import APNS
import Foundation
import JSONText
import PlainText
import PushModel
import Reporting
import Runs
import Settings
import TestSupport
import Testing

@Suite("A bad line")
struct LineFaultTextTests {
  private static let hostile = "x\u{1b}[31m\u{7}\r\n\u{202e}"

  static let faults: [(fault: LineFault, clause: String)] = [
    (.token(.oddLength(3)), "it has an odd number of digits (3), so part of it is missing"),
    (.csv(.openQuote), "a cell has an opening quote and no closing one"),
    (.csv(.textAfterQuote), "there is text after a cell's closing quote"),
    (.csv(.cells(1, columns: 3)), "it has 1 cell, but the header has 3 columns"),
    (.json(.notObject("an array")), "it is an array, not an object"),
    (.json(.noToken), "it has no 'token'"),
    (.json(.notText(key: "token", "a number")), "token is a number"),
    (.encoding, "it is not UTF-8"), (.tooLong, "it is longer than 1 MiB"),
    (
      .registered(hostile, .form),
      "'x\\u{1b}[31m\\u{7}\\u{d}\\u{a}\\u{202e}' in registered cannot be read: "
        + "it is neither epoch seconds nor ISO 8601"
    ),
    (
      .registered("2023-13-01", .part("month", 13, 1...12)),
      "'2023-13-01' in registered cannot be read: its month is 13, not 1 to 12"
    ),
    (
      .registered("2023-12-01 10:00:00", .noOffset),
      "'2023-12-01 10:00:00' in registered cannot be read: it has no offset from UTC, such as Z or "
        + "+01:00"
    ),
    (
      syntax(.trailingComma),
      "it is not valid JSON at column 7: Trailing comma before the closing bracket"
    ),
  ]

  private static func syntax(_ kind: JSONSyntaxError.Kind) -> LineFault {
    .json(.syntax(JSONSyntaxError(kind, at: JSONPosition(line: 1, column: 7))))
  }

  @Test("is told as one of the first ten, and only counted after that")
  func many() throws {
    try withTemporaryFolder { folder in
      let file = open(folder.file("errors"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      let errors = Output(descriptor: file, closesDescriptor: true)
      let lines = SkippedLines("bad lines", context(errors: errors).teller)
      for number in 1...12 { lines.add("a.txt", number, ["it is empty"]) }
      let told = try folder.text("errors").split(separator: "\n")
      #expect(told.count == 11 && told[9].hasSuffix("a.txt:10: skipped: it is empty"))
      #expect(told.last?.hasSuffix("Further bad lines are only counted.") == true, "\(told)")
    }
  }

  @Test("is told in a clause", arguments: faults)
  func clause(_ row: (fault: LineFault, clause: String)) {
    #expect(row.fault.clause == row.clause)
    #expect(row.fault.clause.printable == row.fault.clause)
  }

  @Test("shows no device token that lacks its quotes")
  func hidden() {
    let token = "0123456789abcdef0123456789abcdef"
    let reading = Result { () throws(JSONSyntaxError) in
      try JSONReader().read("{\"token\": \(token)}")
    }
    guard case .failure(let error) = reading else { return #expect(Bool(false)) }
    #expect(!LineFault.json(.syntax(error)).clause.contains(token.prefix(8)))
  }
}
