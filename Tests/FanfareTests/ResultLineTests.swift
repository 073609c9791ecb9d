import APNS
import JSONText
import Testing

@testable import Delivery
@testable import FanfareApp
@testable import PushModel
@testable import Recipients

@Suite("A result")
struct ResultLineTests {
  static let columns = [
    "sequence", "list", "line", "token", "apnsID", "outcome", "status", "reason", "timestamp",
    "uniqueID", "attempts", "latencyMilliseconds", "answeredAt",
  ]

  static let run = report(results([(.accepted, .good), (.rejected, .dead), (.notAttempted, nil)]))
  static let lines = results([(.accepted, .good), (.rejected, .dead), (.notAttempted, nil)])
    .map { ResultLine(result: $0, apnsID: run.apnsID(of: $0.push)) }

  @Test("has the documented columns in the documented order")
  func columnOrder() { #expect(ResultLine<PushResult>.columns == Self.columns) }

  @Test("is a JSON object of these columns", arguments: lines.indices)
  func json(_ index: Int) throws {
    #expect(try object(Self.lines[index]).keys == Self.columns)
  }

  @Test("says the same in JSON and in CSV", arguments: lines.indices)
  func cells(_ index: Int) throws {
    let values = try object(Self.lines[index]).members.map(\.value)
    let words = values.map { $0.string ?? $0.number?.text ?? "" }
    // CSV keeps the zeros of 1.250.
    #expect(cells(Self.lines[index]).map { $0 == "1.250" ? "1.25" : $0 } == words)
  }

  @Test("of a scenario names it and its step at the end")
  func step() throws {
    var line = Self.lines[1]
    line.step = ResultStep(scenario: "Ride", number: 2)
    #expect(try object(line).keys == Self.columns + ["scenario", "step"])
    #expect(cells(line).suffix(2) == ["Ride", "2"])
    #expect(cells(line).dropLast(2) == cells(Self.lines[1])[...])
  }

  @Test("of a dead device token tells it whole, with the time of its end")
  func dead() {
    #expect(
      cells(Self.lines[1]) == [
        "2", "beta.txt", "3", "0a1b2c3d4e5f11", "00000000-0000-4007-8007-000000000002", "rejected",
        "410", "Unregistered", "1690000000000", "", "1", "1.250", "1700000000000",
      ])
  }

  @Test("of a push that was not sent leaves out what is not known")
  func notSent() {
    #expect(cells(Self.lines[2]).suffix(8) == ["notAttempted", "", "", "", "", "0", "", ""])
  }

  @Test(
    "is quoted where CSV needs it",
    arguments: [
      (["a", "b"], "a,b\r\n"), (["a,b", "c"], "\"a,b\",c\r\n"), (["a\"b"], "\"a\"\"b\"\r\n"),
      (["a\nb", ""], "\"a\nb\",\r\n"), (["a\r\nb"], "\"a\r\nb\"\r\n"),
      (["a\"\u{301}b"], "\"a\"\"\u{301}b\"\r\n"),
    ])
  func quoting(_ row: (cells: [String], line: String)) {
    var csv = CSVWriter()
    csv.row(row.cells)
    #expect(String(decoding: csv.bytes, as: UTF8.self) == row.line)
  }

  /// The cells of its row in CSV; no sample needs a quote.
  private func cells(_ line: ResultLine<PushResult>) -> [String] {
    var csv = RecordEncoder(.csv(isSafe: false))
    csv.encode(line)
    let row = String(decoding: csv.drained(), as: UTF8.self).dropLast()
    return row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  private func object(_ line: ResultLine<PushResult>) throws -> JSONObject {
    try #require(try JSONReader().read(line.jsonLine).object)
  }
}
