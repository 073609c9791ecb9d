import Testing

@testable import HistoryCommands
@testable import Reporting
@testable import Runs

@Suite("The ending of a file that is written")
struct FileEndingTests {
  static let endings: [(path: String, format: String?)] = [
    ("a.jsonl", "jsonl"), ("a.NDJSON", "jsonl"), ("b/a.CSV", "csv"), ("a.tsv", "tsv"),
    ("a.txt", "txt"), (".csv", "csv"), ("a.har", nil), ("a.b/c", nil), ("a.json", nil), ("", nil),
  ]

  @Test("says how records are written, in either case", arguments: endings)
  func formats(_ row: (path: String, format: String?)) {
    #expect(RecordFormat.of(path: row.path)?.name == row.format)
  }

  @Test("says in which form pushes are exported")
  func exports() {
    let names = ["a.JSONL", "a.ndjson", "a.csv", "a.tsv", "a.har", "a.sh", "a.txt", "a"]
    let forms = names.map { ExportFormat.of(path: $0)?.name }
    #expect(forms == ["jsonl", "jsonl", "csv", "tsv", "har", "curl", nil, nil])
  }

  static let given: [(format: String?, output: String?, known: String?)] = [
    (nil, "a.tsv", "tsv"), ("csv", "a.tsv", "csv"), ("tsv", "a.csv", "tsv"),
    ("jsonl", "a.har", "jsonl"), (nil, "a.ndjson", "jsonl"), (nil, "a.txt", nil), (nil, nil, nil),
    ("tsv", nil, "tsv"),
  ]

  @Test("counts unless a format is given", arguments: given)
  func format(_ row: (format: String?, output: String?, known: String?)) {
    var files = ExportFiles()
    files.format = ExportFormat.all.first { $0.name == row.format }
    files.output = row.output
    #expect(files.knownFormat?.name == row.known)
  }

  @Test("is one of those that are listed")
  func list() {
    #expect(RecordFormat.ofResults.endings == ".jsonl, .ndjson, .csv or .tsv")
  }

  @Test("in .tsv parts cells by tabs, and quotes what holds one")
  func tabs() {
    let encoder = RecordFormat.tsv.encoder(isSafe: false)
    encoder.encodeHeader(["a,b", "c\td"])
    #expect(String(decoding: encoder.drained(), as: UTF8.self) == "a,b\t\"c\td\"\r\n")
  }
}
