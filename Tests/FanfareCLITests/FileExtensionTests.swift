import Testing

@testable import HistoryCommands
@testable import Reporting
@testable import Runs

@Suite("The ending of a file that is written")
struct FileEndingTests {
  static let endings: [(path: String, format: RecordEncoder.Format?)] = [
    ("a.jsonl", .jsonLines), ("a.NDJSON", .jsonLines), ("b/a.CSV", .csv(isSafe: true)),
    ("a.tsv", .csv(isSafe: true, separator: 9)), ("a.txt", .text), (".csv", .csv(isSafe: true)),
    ("a.har", nil), ("a.b/c", nil), ("a.json", nil), ("", nil),
  ]

  @Test("says how records are written, in either case", arguments: endings)
  func formats(_ row: (path: String, format: RecordEncoder.Format?)) {
    #expect(FileExtension(path: row.path)?.format == row.format)
  }

  @Test("says in which form pushes are exported")
  func exports() {
    let names = ["a.JSONL", "a.ndjson", "a.csv", "a.tsv", "a.har", "a.sh", "a.txt", "a"]
    let forms = names.map { FileExtension(path: $0)?.export }
    #expect(forms == [.jsonl, .jsonl, .csv, .tsv, .har, .curl, nil, nil])
  }

  static let given: [(format: ExportFormat?, output: String?, known: ExportFormat?)] = [
    (nil, "a.tsv", .tsv), (.csv, "a.tsv", .csv), (.tsv, "a.csv", .tsv), (.jsonl, "a.har", .jsonl),
    (nil, "a.ndjson", .jsonl), (nil, "a.txt", nil), (nil, nil, nil), (.tsv, nil, .tsv),
  ]

  @Test("counts unless a format is given", arguments: given)
  func format(_ row: (format: ExportFormat?, output: String?, known: ExportFormat?)) {
    var files = ExportFiles()
    (files.format, files.output) = (row.format, row.output)
    #expect(files.knownFormat == row.known)
  }

  @Test("is one of those that are listed")
  func list() {
    #expect(FileExtension.list(where: \.takesResults) == ".jsonl, .ndjson, .csv or .tsv")
  }

  @Test("in .tsv parts cells by tabs, and quotes what holds one")
  func tabs() {
    var encoder = RecordEncoder(.csv(isSafe: false, separator: 9))
    encoder.encodeHeader(["a,b", "c\td"])
    #expect(String(decoding: encoder.drained(), as: UTF8.self) == "a,b\t\"c\td\"\r\n")
  }
}
