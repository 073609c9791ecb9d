import Foundation
import TestSupport
import Testing

/// The limits in a text: figures behind words such as "at most", sizes and ranges.
struct LimitPhrases {
  private static let figure =
    #"(?:[0-9][0-9,.]*(?:m\b)?|(?:two|three|four|five|six|eight|ten|half|"#
    + #"an? (?:day|hour|minute|second|third|hundred|million))\b)"#
  private static let words = "(?:at most|up to|no more than|more than|fewer than)"
  private static let pattern =
    #"(?i)\b\#(words) (?:about )?\#(figure)(?: [a-z]+)?|\#(figure) at most"#
    + #"|\b[a-z]+ [a-z]+ are the most|\b[0-9][0-9,]* (?:KiB|MiB|bytes|characters)\b"#
    + #"|\b[0-9]+ to [0-9][0-9,]*"#

  let found: [String]

  /// - Parameter page: Markdown, of which examples are left out.
  init(in page: String) throws {
    let prose = page.replacing(/(?s)```.*?```/, with: "").replacing("`", with: "")
    let text = prose.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    found = try text.matches(of: Regex(Self.pattern)).map { String(text[$0.range]) }
  }
}

@Suite("A limit in a document")
struct DocumentedLimitTests {
  private static let root = projectFolder
  /// Pages about the code, releases, measurements and other programs; one of them is generated.
  private static let others = [
    "architecture.md", "ci.md", "clients.md", "performance.md", "releasing.md", "reliability.md",
  ]

  /// The text of each place.
  private static func pages() throws -> [(place: String, text: String)] {
    let pages = try names("docs").filter { $0.hasSuffix(".md") && !others.contains($0) }
      .map { ($0, "docs/\($0)") }
    let snapshots = "Tests/FanfareCLITests/Snapshots"
    let help = try names(snapshots).filter { $0.hasPrefix("help-") }
      .map { ($0.replacing(".txt", with: ""), "\(snapshots)/\($0)") }
    return try (pages + [("README.md", "README.md")] + help).map { ($0.0, try text($0.1)) }
  }

  private static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("has a row that names the test which tries it")
  func listed() throws {
    for (place, text) in try Self.pages() {
      let rows = DocumentedLimit.all.filter { $0.place == place }.map(\.phrase)
      let found = try LimitPhrases(in: text).found
      #expect(found == rows, "\(place): \(found.difference(from: rows))")
    }
    let places = Set(try Self.pages().map(\.place))
    #expect(DocumentedLimit.all.map(\.place).filter { !places.contains($0) } == [])
  }

  @Test("is tried by a test that is there")
  func tried() throws {
    let files = FileManager.default.enumerator(atPath: Self.root.appending(path: "Tests").path)
    let texts = try (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
      .map { try Self.text("Tests/\($0)") }
    for limit in DocumentedLimit.all {
      guard case .tried(let test) = limit.proof else { continue }
      let parts = test.split(separator: ".")
      let isThere = texts.contains {
        $0.contains("struct \(parts[0]) ") && $0.contains("func \(parts[1])(")
      }
      #expect(isThere, "\(limit.place), \(limit.phrase): there is no test \(test)")
    }
  }

  static let phrases: [(text: String, found: [String])] = [
    ("It has at most 40 letters, up\n  to `4 MiB`.", ["at most 40 letters", "up to 4 MiB"]),
    ("For a day at most; more than five.", ["a day at most", "more than five"]),
    ("1 to 64, 16 KiB", ["1 to 64,", "16 KiB"]),
    ("at most one, at most `--limit`, version 4\n```\nat most 5 bytes\n```", []),
  ]

  @Test("is found, or this test would prove nothing", arguments: phrases)
  func found(_ row: (text: String, found: [String])) throws {
    #expect(try LimitPhrases(in: row.text).found == row.found)
  }
}
