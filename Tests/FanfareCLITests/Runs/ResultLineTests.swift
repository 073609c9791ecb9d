import APNS
import JSONText
import Recipients
import Reporting
import TestSupport
import Testing

@testable import Delivery
@testable import PushModel
@testable import Runs

@Suite("A result")
struct ResultLineTests {
  static let columns = [
    "sequence", "list", "line", "token", "apnsID", "outcome", "status", "reason", "timestamp",
    "uniqueID", "attempts", "latencyMilliseconds", "answeredAt", "skippedFor", "channel",
  ]
  /// Those that JSON has of a push that was not skipped.
  static let keys = columns.filter { $0 != "skippedFor" }

  static let run = report(results([(.accepted, .good), (.rejected, .dead), (.notAttempted, nil)]))
  static let lines = results([(.accepted, .good), (.rejected, .dead), (.notAttempted, nil)])
    .map { ResultLine(result: $0, apnsID: run.apnsID(of: $0.push)) }

  @Test("has the documented columns in the documented order")
  func columnOrder() { #expect(Outputs.result.map(\.name) == Self.columns) }

  @Test("is a JSON object of these columns", arguments: lines.indices)
  func json(_ index: Int) throws {
    #expect(try object(Self.lines[index]).keys == Self.keys)
  }

  @Test("says the same in JSON and in CSV", arguments: lines.indices)
  func cells(_ index: Int) throws {
    let object = try object(Self.lines[index])
    let words = Self.columns.map { object[$0].flatMap { $0.string ?? $0.number?.text } ?? "" }
    // CSV keeps the zeros of 1.250.
    #expect(cells(Self.lines[index]).map { $0 == "1.250" ? "1.25" : $0 } == words)
  }

  @Test("of a scenario names it and its step at the end")
  func step() throws {
    let (line, step) = (Self.lines[1], ResultStep(scenario: "Ride", number: 2))
    #expect(try object(line, of: step).keys == Self.keys + ["scenario", "step"])
    #expect(cells(line, of: step).suffix(2) == ["Ride", "2"])
    #expect(cells(line, of: step).dropLast(2) == cells(line)[...])
  }

  @Test("of a dead device token tells it whole, with the time of its end")
  func dead() {
    #expect(
      cells(Self.lines[1]) == [
        "2", "beta.txt", "3", "0a1b2c3d4e5f11", "00000000-0000-4007-8007-000000000002",
        "rejected", "410", "Unregistered", "1690000000000", "", "1", "1.250", "1700000000000", "",
        "",
      ])
  }

  @Test("of a push to a channel tells the channel in place of a device token")
  func channel() throws {
    let line = ResultLine(result: toChannel(.accepted), apnsID: Self.lines[0].apnsID)
    #expect(try object(line)["token"]?.content == .null)
    #expect(try object(line)["channel"]?.string == sampleChannel)
    #expect(try object(Self.lines[0])["channel"]?.content == .null)
    #expect(cells(line)[3] == "" && cells(line).last == sampleChannel)
    #expect(!toChannel(.rejected, .dead).showsDeadToken)
  }

  @Test("of a push that was not sent leaves out what is not known")
  func notSent() {
    #expect(
      cells(Self.lines[2]).suffix(10) == ["notAttempted", "", "", "", "", "0", "", "", "", ""])
  }

  @Test("of a skipped row says why, in sentences")
  func skipped() throws {
    var columns = PushChunk.Columns()
    (columns.lines, columns.tokens, columns.tokenEnds) = ([4], Array("0a1b".utf8), [4])
    columns.problems[0] = BrokenRules([
      Problem(.warning, rule: "w", at: .other("x"), message: "Odd.", fix: "Look."),
      Problem(.error, rule: "r", at: .other("x"), message: "Bad.", fix: "Mend it."),
    ])
    let chunk = PushChunk(firstSequence: 1, list: "a.csv", columns)
    let result = PushResult(
      push: chunk.push(at: 0), outcome: .skipped, response: nil, attempts: 0,
      wasResentInDoubt: false, latencyMicroseconds: nil, answeredAt: nil)
    let line = ResultLine(result: result, apnsID: Self.run.apnsID(of: result.push))
    #expect(try object(line).keys == Self.columns)
    #expect(try object(line)["skippedFor"] == ["Bad. Mend it. [r]"])
    #expect(cells(line).dropLast().last == "Bad. Mend it. [r]")
  }

  @Test("ends with the list's own columns, guarded where a spreadsheet would run them")
  func listed() throws {
    let rows = [
      #"{"token":"0a1b","id":-7,"tag":"=1+1","more":{"a":1}}"#, #"{"token":"0a1c","id":null}"#,
    ]
    let (step, names) = (ResultStep(scenario: "Ride", number: 2), ["id", "tag", "more"])
    let lines = try withTemporaryFolder { folder in
      let path = try folder.write("a.jsonl", rows.joined(separator: "\n"))
      var reader = try RecipientReader([.file(path)], listed: names)
      let chunk = try #require(try reader.next())
      return chunk.pushes.map { push in
        let result = PushResult(
          push: push, outcome: .accepted, response: .good, attempts: 1, wasResentInDoubt: false,
          latencyMicroseconds: 1, answeredAt: 1)
        return ResultLine(result: result, apnsID: Self.run.apnsID(of: push))
      }
    }
    let json = try object(lines[0], of: step, listing: names)
    #expect(json.keys == Self.keys + ["scenario", "step", "id", "tag", "more"])
    #expect(json["id"] == -7 && json["tag"] == "=1+1" && json["more"] == ["a": 1])
    #expect(try object(lines[1], of: step, listing: names)["id"] == JSON(.null))
    let csv = RecordFormat.csv.encoder()
    for line in lines { csv.encode(line, ResultLine.fields(of: step, listing: names)) }
    let text = String(decoding: csv.drained(), as: UTF8.self)
    let ends = text.split(separator: "\r\n").map { $0.suffix(30) }
    #expect(ends[0].hasSuffix(#",Ride,2,-7,'=1+1,"{""a"":1}""#))
    #expect(ends[1].hasSuffix(",Ride,2,,,"))
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
  private func cells(_ line: ResultLine<PushResult>, of step: ResultStep? = nil) -> [String] {
    let csv = RecordFormat.csv.encoder(isSafe: false)
    csv.encode(line, ResultLine.fields(of: step))
    let row = String(decoding: csv.drained(), as: UTF8.self).dropLast()
    return row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  private func object(
    _ line: ResultLine<PushResult>, of step: ResultStep? = nil, listing listed: [String] = []
  ) throws -> JSONObject {
    let text = ResultLine.fields(of: step, listing: listed).line(of: line)
    return try #require(try JSONReader().read(text).object)
  }
}
