import APNS
import Foundation
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import Recipients

@Suite("Recipients", .timeLimit(.minutes(15)))
struct RecipientReaderTests {
  private let folder: KeptFolder

  init() throws { folder = try KeptFolder() }

  private func list(_ name: String, _ text: String) throws -> RecipientSource {
    .file(try folder.file(name, text))
  }

  @Test("Blank lines and comments are passed over, decoration is tidied away")
  func tidying() throws {
    let text = """
      # beta testers

      ab12
        CD34\t
      <ef56 7890>
         # indented
      <AA11>
      """
    let reading = try ListReading([list("a.txt", text)])
    #expect(reading.rows == ["a.txt:3 ab12", "a.txt:4 cd34", "a.txt:5 ef567890", "a.txt:7 aa11"])
    #expect(reading.sequences == [1, 2, 3, 4])
    #expect(reading.counts == .init(lines: 4, badLines: 0, duplicates: 0))
  }

  @Test("A channel is one recipient without a device token")
  func channel() throws {
    var reader = try RecipientReader([.channel("QUJD")])
    let chunk = try #require(try reader.next())
    #expect(chunk.count == 1 && chunk.list == "--channel" && chunk.channel == "QUJD")
    #expect(chunk.push(at: 0).token.isEmpty && chunk.push(at: 0).line == 1)
    #expect(try reader.next() == nil && reader.counts == .init(lines: 1))
    #expect(reader.extent.read == reader.extent.size)
  }

  @Test("A bad line is reported with its number and stops nothing")
  func badLines() throws {
    let reading = try ListReading([list("a.txt", "ab12\nxyz1\n\nabc\nab 34\nab12 # Bob\n")])
    #expect(reading.rows == ["a.txt:1 ab12", "a.txt:5 ab34"])
    #expect(reading.badLines.map(\.line) == [2, 4, 6])
    #expect(
      reading.badLines.map(\.error).prefix(2) == [
        .token(.notHex(character: "x", offset: 0)), .token(.oddLength(3)),
      ])
    #expect(reading.counts == .init(lines: 5, badLines: 3, duplicates: 0))
  }

  @Test("A line of a million characters is one bad line")
  func longLine() throws {
    let long = String(repeating: "ab", count: 500_000)
    let reading = try ListReading([list("a.txt", "ab12\n\(long)\ncd34\n")])
    #expect(reading.rows == ["a.txt:1 ab12", "a.txt:3 cd34"])
    #expect(reading.badLines.map(\.line) == [2])
  }

  /// The name of a list of each format, what comes before its rows, and a row.
  private static let lists = [
    ("a.txt", "", "cd34"), ("a.csv", "token\n", "cd34"), ("a.jsonl", "", #"{"token":"cd34"}"#),
  ]

  @Test(
    "A line that begins with more blanks than are read is a bad line, not a blank one",
    arguments: lists)
  func leadingBlanks(_ name: String, _ header: String, _ row: String) throws {
    let blanks = String(repeating: " ", count: 1_100_000)
    let reading = try ListReading([list(name, "\(header)\(blanks)\(row)\n\(row)\n")])
    #expect(reading.tokens == ["cd34"])
    #expect(reading.badLines.map(\.error) == [.tooLong])
    #expect(reading.counts == .init(lines: 2, badLines: 1, duplicates: 0))
  }

  @Test(
    "Lines of NULs are bad lines, as a crash leaves them at the end of a file",
    arguments: lists)
  func nulls(_ name: String, _ header: String, _ row: String) throws {
    let nulls = String(repeating: "\0", count: 4000)
    let reading = try ListReading([list(name, "\(header)\(row)\n\(nulls)\n\0\n\(nulls)")])
    #expect(reading.tokens == ["cd34"])
    #expect(reading.counts == .init(lines: 4, badLines: 3, duplicates: 0))
  }

  @Test("The first of equal tokens wins across all lists, in whatever case and dress")
  func duplicatesFirst() throws {
    let reading = try ListReading([
      .tokens([DeviceToken("ab12"), DeviceToken("AB12")]), list("a.txt", "<AB 12>\ncd34\ncd34\n"),
      list("b.txt", "cd34\nef56\n"),
    ])
    #expect(reading.rows == ["--to:1 ab12", "a.txt:2 cd34", "b.txt:2 ef56"])
    #expect(reading.counts == .init(lines: 7, badLines: 0, duplicates: 4))
  }

  @Test("Every row is sent to when duplicates are wanted")
  func duplicatesSend() throws {
    let reading = try ListReading(
      [list("a.txt", "ab12\nab12\n"), list("b.txt", "ab12\n")],
      selection: RecipientSelection(duplicates: .send))
    #expect(reading.rows == ["a.txt:1 ab12", "a.txt:2 ab12", "b.txt:1 ab12"])
    #expect(reading.counts == .init(lines: 3, badLines: 0, duplicates: 0))
  }

  @Test(
    "A hundred thousand lines are a hundred thousand recipients, whatever ends them",
    arguments: ["\n", "\r\n"])
  func manyLines(_ end: String) throws {
    let tokens = try deviceTokens(100_000)
    let reading = try ListReading([list("a", tokens.map(\.hex).joined(separator: end))])
    #expect(reading.rows.count == 100_000)
    #expect(reading.rows.enumerated().allSatisfy { $1 == "a:\($0 + 1) \(tokens[$0].hex)" })
    #expect(reading.sequences == (1...100_000).map { UInt64($0) })
    #expect(reading.chunkSizes.dropLast().allSatisfy { $0 == PushChunk.capacity })
  }

  @Test("No chunk is over its capacity or empty", arguments: [1, 255, 256, 257, 512, 1000])
  func chunks(_ count: Int) throws {
    let tokens = try deviceTokens(count)
    let full = Array(repeating: PushChunk.capacity, count: count / PushChunk.capacity)
    let rest = count % PushChunk.capacity
    let sizes = full + (rest > 0 ? [rest] : [])
    #expect(try ListReading([.tokens(tokens)]).chunkSizes == sizes)
    let text = tokens.map(\.hex).joined(separator: "\n")
    #expect(try ListReading([list("a", text)]).chunkSizes == sizes)
    #expect(try ListReading([list("a", text), .tokens(tokens)]).counts.duplicates == count)
  }

  @Test("A list that cannot be used is found before anything is read")
  func unusable() throws {
    func fault(_ source: RecipientSource) -> ListError.Fault? {
      do throws(ListError) {
        _ = try RecipientReader([.tokens([]), source])
        return nil
      } catch {
        #expect(error.list == source.name)
        return error.fault
      }
    }
    #expect(fault(.file(folder.path(of: "none.txt"))) == .missing)
    #expect(fault(.file(folder.path)) == .isFolder)
    #expect(fault(try list("empty.txt", "")) == .empty)
    #expect(fault(try list("mark.txt", "\u{FEFF}\r\n")) == .empty)
    #expect(fault(try list("comments.txt", "# a\r\n\r\n  # b")) == .empty)
    #expect(fault(try list("a.csv", "")) == .empty)
    #expect(fault(try list("b.csv", "\u{FEFF}token\r\n \r\n")) == .empty)
    #expect(fault(try list("c.csv", "name\nab12\n")) == .noTokenColumn(["name"]))
    #expect(fault(try list("a.JSONL", "\n  \n")) == .empty)
    #expect(fault(try list("b.jsonl", "# {}\n")) == nil)
    #expect(fault(try list("mark2.txt", "\u{FEFF}ab12")) == nil)
    #expect(fault(try list("bad.txt", "no token at all")) == nil)
    #expect(fault(try list("key.p8", "-----BEGIN PRIVATE KEY-----\nMIGH")) == .isPEM)
    #expect(fault(try list("dash.txt", "-----\nab12")) == nil)
  }

  @Test(
    "A file of another kind is named instead of being read",
    arguments: [
      (#"["ab12","cd34"]"#, "a JSON array"), ("[\n  {\"token\":\"ab12\"}]", "a JSON array"),
      ("[]", "a JSON array"),
      ("PK\u{3}\u{4}ab12", "a ZIP archive, such as an Excel workbook or an .ipa"),
      ("{\\rtf1 ab12}", "a rich text document"), ("%PDF-1.7", "a PDF document"),
      ("<!DOCTYPE html>", "a web page"), ("<?xml version", "an XML document"),
      ("SQLite format 3\0", "an SQLite database"), ("BZh9", "an archive packed with bzip2"),
    ])
  func foreign(_ row: (text: String, noun: String)) throws {
    for name in ["a.txt", "a.csv", "a.jsonl", "a.json", "a.xlsx"] {
      let source = try list(name, row.text)
      let error = #expect(throws: ListError.self) { _ = try RecipientReader([source]) }
      guard case .foreign(let noun, let advice)? = error?.fault else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      #expect(noun == row.noun && advice.hasSuffix("."))
    }
    for text in ["[ab12]\n", "<ab12>\n", "{length = 2, bytes = 0xab12}\n", "PK\n"] {
      _ = try RecipientReader([try list("own.txt", text)])
    }
  }

  @Test("A pipe is not waited for when it is opened, and its header row is read in its turn")
  func pipe() throws {
    let pipe = try SilentPipe(Array("name,id\nAda,7\n".utf8), name: "pipe.csv")
    var reader = try RecipientReader([.file(pipe.path)])
    let error = #expect(throws: ListError.self) { _ = try reader.next() }
    #expect(error?.fault == .noTokenColumn(["name", "id"]))
  }

  @Test("Whoever is in a pipe is handed on before the next row is written")
  func slowPipe() throws {
    let pipe = try SilentPipe(Array("token\nab12\n\"cd34\"\n".utf8), name: "pipe.csv")
    var reader = try RecipientReader([.file(pipe.path)])
    let chunk = try reader.next()
    #expect(chunk?.count == 2)
  }

  static let formats: [(name: String, format: ListFormat, text: String)] = [
    ("a", .txt, "ab12\n"), ("a.list", .csv, "token\nab12\n"),
    ("a.b/c", .jsonl, #"{"token":"ab12"}"#),
    ("a.txt", .csv, "ab12\n"), ("a.CSV", .txt, "token\nab12"), ("a.tsv", .txt, "token\nab12"),
    ("a.ndjson", .csv, #"{"token":"ab12"}"#), ("csv", .txt, "ab12"),
  ]

  @Test(
    "The name of a file tells its format, and where it does not the option does", arguments: formats
  )
  func format(_ row: (name: String, format: ListFormat, text: String)) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "a.b"), withIntermediateDirectories: true)
    let reading = try ListReading([list(row.name, row.text)], format: row.format)
    #expect(reading.tokens == ["ab12"])
    #expect(reading.counts == .init(lines: 1))
  }

  @Test(
    "UTF-16 is read in every format", arguments: ["a.txt", "a.csv", "a.jsonl"],
    [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func utf16(_ name: String, _ encoding: String.Encoding) throws {
    let texts = [
      "a.txt": "# é\r\nab12\r\n", "a.csv": "token;é\r\nab12;👋\r\n",
      "a.jsonl": #"{"token":"ab12","é":"👋"}"#,
    ]
    let text = "\u{FEFF}" + (texts[name] ?? "")
    let path = try folder.file(name, try #require(text.data(using: encoding)))
    let reading = try ListReading([.file(path)], rendering: EchoRendering(names: ["é"]))
    #expect(reading.tokens == ["ab12"])
    #expect(reading.payloads == [name == "a.txt" ? "é missing" : "é text 👋"])
  }

  // MARK: Lists that change

  /// What becomes of a list while it is read.
  enum Change: CaseIterable {
    case cut
    case rewritten
    case longer

    func make(to path: String) throws {
      let file = try FileHandle(forUpdating: URL(filePath: path))
      switch self {
      case .cut: try file.truncate(atOffset: 65 * 3000 + 32)
      case .rewritten:
        try file.seek(toOffset: 65 * 9000)
        try file.write(contentsOf: Data(repeating: UInt8(ascii: "f"), count: 64))
      case .longer:
        try file.seekToEnd()
        try file.write(contentsOf: Data("ab12\n".utf8))
      }
      try file.close()
    }
  }

  @Test(
    "A list that is written to while it is read is told at the end, and half a line of it is nobody",
    arguments: Change.allCases)
  func changed(change: Change) throws {
    let path = try folder.file("a.txt", tokenList(10_000))
    let after = try list("b.txt", "cd34\n")
    var reader = try RecipientReader([.file(path), after])
    var tokens = try #require(try reader.next()).pushes.map(\.token)
    try change.make(to: path)
    let error = #expect(throws: ListError.self) {
      while let chunk = try reader.next() { tokens += chunk.pushes.map(\.token) }
    }
    #expect(error == ListError(list: path, fault: .changed))
    #expect(reader.counts.badLines == 0 && tokens.last == "cd34")
    #expect(tokens.dropLast().allSatisfy { $0.count == 64 || change == .longer })
    #expect(change == .cut ? tokens.count < 10_000 : tokens.count >= 10_001)
  }

  @Test("Of a list that is cut while it is read it is known how much is not read")
  func cut() throws {
    let path = try folder.file("a.txt", tokenList(10_000))
    var reader = try RecipientReader([.file(path)])
    _ = try reader.next()
    try Change.cut.make(to: path)
    #expect(throws: ListError.self) { while try reader.next() != nil {} }
    let rest = try #require(reader.extent.rest(after: reader.counts.pushes))
    #expect(abs(rest + reader.counts.pushes - 10_000) <= 1)
  }

  @Test("A list whose name another file takes while it is read is read to its end")
  func renamedOver() throws {
    let path = try folder.file("a.txt", tokenList(10_000))
    var reader = try RecipientReader([.file(path)])
    var count = try #require(try reader.next()).count
    try #require(rename(try folder.file("new.txt", "ab12\n"), path) == 0)
    while let chunk = try reader.next() { count += chunk.count }
    #expect(count == 10_000)
  }
}
