import Testing

@testable import FanfareApp

@Suite("The ending of a file that is written")
struct FileEndingTests {
  static let endings: [(path: String, format: RecordEncoder.Format?)] = [
    ("a.jsonl", .jsonLines), ("a.NDJSON", .jsonLines), ("b/a.CSV", .csv(isSafe: true)),
    ("a.tsv", .csv(isSafe: true, separator: 9)), ("a.txt", .text), (".csv", .csv(isSafe: true)),
    ("a.har", nil), ("a.b/c", nil), ("a.json", nil), ("", nil),
  ]

  @Test("says how records are written, in either case", arguments: endings)
  func formats(_ row: (path: String, format: RecordEncoder.Format?)) {
    #expect(FileEnding(path: row.path)?.format == row.format)
  }

  @Test("says in which form pushes are exported")
  func exports() {
    let forms = ["a.JSONL", "a.csv", "a.tsv", "a.har", "a.sh", "a.txt", "a"].map {
      FileEnding(path: $0).flatMap { ExportFormat($0) }
    }
    #expect(forms == [.jsonl, .csv, .csv, .har, .curl, nil, nil])
  }

  @Test("in .tsv parts cells by tabs, and quotes what holds one")
  func tabs() {
    var encoder = RecordEncoder(.csv(isSafe: false, separator: 9))
    encoder.encodeHeader(["a,b", "c\td"])
    #expect(String(decoding: encoder.drained(), as: UTF8.self) == "a,b\t\"c\td\"\r\n")
  }
}
