import Reporting
import Testing

@Suite("The kind of a file")
struct FileKindTests {
  static let rows: [(path: String, named: FileKind?, found: FileKind?)] = [
    ("a.json", .payload, .payload), ("dir/a.APNS", .payload, .payload),
    ("a.json5", .scenario, .scenario), ("a.b/c.txt", .list, .list),
    ("a.csv", .list, nil), ("a.jsonl", .list, nil), ("a.TSV", .list, nil),
    ("a.ndjson", .list, nil), ("a/fanfare.json", .configuration, .configuration),
    ("a.schema.json", .payload, nil),
    ("README.txt", .list, nil), ("License.json", .payload, nil),
    ("a", nil, nil), ("a.json/b", nil, nil), ("a.md", nil, nil), ("", nil, nil),
  ]

  @Test("is told by its name, more carefully in a folder", arguments: rows)
  func kind(_ row: (path: String, named: FileKind?, found: FileKind?)) {
    #expect(FileKind(path: row.path) == row.named)
    #expect(FileKind(foundAt: row.path) == row.found)
  }
}
