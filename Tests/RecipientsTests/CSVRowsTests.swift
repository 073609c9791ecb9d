import APNS
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import Recipients

@Suite("Tables", .timeLimit(.minutes(15)))
struct CSVRowsTests {
  private let folder: KeptFolder

  init() throws { folder = try KeptFolder() }

  private func read(
    _ text: some Sequence<UInt8>, names: [String]? = nil
  ) throws -> ListReading {
    let list = RecipientSource.file(try folder.file("a.csv", text))
    return try ListReading([list], rendering: names.map { EchoRendering(names: $0) })
  }

  static let headers: [(header: String, row: String, name: String)] = [
    ("token,name", "ab12,Ada", "Ada"), ("name,token", "Ada,ab12", "Ada"),
    ("token;name", "ab12;Ada, Bob", "Ada, Bob"), ("token\tname", "ab12\tAda", "Ada"),
    ("Device_Token,name", "ab12,Ada", "Ada"), (" TOKEN , name ", "ab12,Ada", "Ada"),
    (#""token","name""#, #""ab12","Ada""#, "Ada"), (#""token";"name""#, "ab12;Ada", "Ada"),
    ("token,device_token,name", "ab12,x,Ada", "Ada"),
    ("name,\"to\nken\",token", "Ada,,ab12", "Ada"),
    ("token,name,,", "ab12,Ada,,", "Ada"), ("\n\r\ntoken,name", "ab12,Ada", "Ada"),
    ("a;b,token,name", "x,ab12,Ada", "Ada"), ("token,Name,name", "ab12,Bob,Ada", "Ada"),
  ]

  @Test("The header row tells columns and separator", arguments: headers)
  func header(_ row: (header: String, row: String, name: String)) throws {
    let reading = try read("\(row.header)\n\(row.row)\n".utf8, names: ["name"])
    #expect(reading.tokens == ["ab12"])
    #expect(reading.payloads == ["name text \(row.name)"])
    #expect(reading.counts == .init(lines: 1))
  }

  private static let token = String(repeating: "0123456789abcdef", count: 4)

  static let badHeaders: [(header: String, fault: ListError.Fault)] = [
    ("name,id", .noTokenColumn(["name", "id"])), ("name; id", .noTokenColumn(["name", "id"])),
    ("id", .noTokenColumn(["id"])), ("tokens,id", .noTokenColumn(["tokens", "id"])),
    ("\(token),Ada", .noTokenColumn(["…89abcdef", "Ada"])),
    (String(repeating: "x", count: 50), .noTokenColumn([String(repeating: "x", count: 40) + "…"])),
    ((1...30).map { "c\($0)" }.joined(separator: ","), .noTokenColumn((1...20).map { "c\($0)" })),
    ("token,Token", .duplicateColumn("Token")), ("token,a,b,a", .duplicateColumn("a")),
    ("token,registered,Registered", .duplicateColumn("Registered")),
    ("\"token,id", .header(.csv(.openQuote))), ("\"token\"x,id", .header(.csv(.textAfterQuote))),
    (
      "token" + String(repeating: ",", count: 1000),
      .header(.csv(.cells(1001, columns: CSVHeader.columnLimit)))
    ),
  ]

  @Test("A header row that will not do is said before anything is read", arguments: badHeaders)
  func badHeader(_ row: (header: String, fault: ListError.Fault)) throws {
    let error = #expect(throws: ListError.self) { try read("\(row.header)\nab12,x\n".utf8) }
    #expect(error?.fault == row.fault)
  }

  @Test("A header row that is no text is said")
  func headerEncoding() throws {
    let error = #expect(throws: ListError.self) { try read([0x74, 0xE9, 0x0A, 0x61]) }
    #expect(error?.fault == .header(.encoding))
    let long = String(repeating: "x", count: LineReader.limit + 1)
    let other = #expect(throws: ListError.self) { try read(long.utf8) }
    #expect(other?.fault == .header(.tooLong))
  }

  static let cells: [(cell: String, value: String)] = [
    ("", ""), ("Ada", "Ada"), (" Ada ", " Ada "), (#""""#, ""), (#""a,b""#, "a,b"),
    (#""a""b""#, #"a"b"#), (#""""""#, #"""#), (#""""""""#, #""""#), (#"a"b"#, #"a"b"#),
    (#" "a""#, #" "a""#), ("\"a\nb\"", "a\nb"), ("\"a\r\nb\"", "a\r\nb"),
    ("\"\n\n\"", "\n\n"), ("\"a\"\"\nb\"", "a\"\nb"), ("é👋", "é👋"),
    ("\"\"\"é👋\"", "\"é👋"), ("\"é\"\"👋\"\"\"", "é\"👋\""),
  ]

  @Test("Cells are quoted as RFC 4180 has it", arguments: cells)
  func cell(_ row: (cell: String, value: String)) throws {
    for text in ["name,token\n\(row.cell),ab12", "token,name\nab12,\(row.cell)\ncd34,x\r\n"] {
      let reading = try read(text.utf8, names: ["name"])
      #expect(reading.badLines.isEmpty)
      #expect(reading.payloads.first == "name text \(row.value)")
      #expect(reading.tokens.first == "ab12")
    }
  }

  @Test("Lines keep their numbers across rows of several lines, blank lines and every line end")
  func lineNumbers() throws {
    let text = "token,a\nab12,\"1\r\n\r2\n\"\rcd34,\n\n  \nef56,\"x\n\"\r\nxyz,\"\n\"\naa11,"
    let reading = try read(text.utf8)
    #expect(reading.rows == ["a.csv:2 ab12", "a.csv:6 cd34", "a.csv:9 ef56", "a.csv:13 aa11"])
    #expect(reading.badLines.map(\.line) == [11])
    #expect(reading.counts == .init(lines: 5, badLines: 1))
  }

  static let badRows: [(row: String, text: String, fault: LineFault)] = [
    ("xyz1,", "xyz1", .token(.notHex(character: "x", offset: 0))),
    (",Ada", "", .token(.empty)), ("abc,", "abc", .token(.oddLength(3))),
    ("ab12", "ab12", .csv(.cells(1, columns: 2))),
    ("ab12,x,y", "ab12,x,y", .csv(.cells(3, columns: 2))),
    ("ab12,\"x\"y", "ab12,\"x\"y", .csv(.textAfterQuote)),
    ("\"ab12\" ,x", "\"ab12\" ,x", .csv(.textAfterQuote)),
    ("ab12,\"x", "ab12,\"x", .csv(.openQuote)),
  ]

  @Test("A bad row is one bad line and stops nothing", arguments: badRows)
  func badRow(_ row: (row: String, text: String, fault: LineFault)) throws {
    let reading = try read("token,name\ncd34,Bob\n\(row.row)\nef56,Eve\naa11,".utf8)
    #expect(reading.rows == ["a.csv:2 cd34", "a.csv:4 ef56", "a.csv:5 aa11"])
    #expect(reading.badLines.map(\.line) == [3])
    #expect(reading.badLines.map(\.error) == [row.fault])
    #expect(reading.badLines.map(\.text) == [row.text])
    #expect(reading.counts == .init(lines: 4, badLines: 1))
  }

  @Test("Bytes that are no UTF-8 make a bad row")
  func encoding() throws {
    let reading = try read("token,n\nab12,Zo".utf8 + [0xEB] + "\ncd34,é\n".utf8)
    #expect(reading.badLines.map(\.error) == [.encoding])
    #expect(reading.tokens == ["cd34"])
  }

  @Test("A quote that never ends costs its own line only, and a line over 1 MiB only itself")
  func bounds() throws {
    let many = (0..<60_000).map { "aa\(10_000 + $0 % 20_000 * 2)0,text \($0)\n" }.joined()
    let open = try read("token,n\nab12,\"x\n\(many)".utf8)
    #expect(open.badLines.map(\.error) == [.csv(.openQuote)])
    #expect(open.counts.lines == 60_001)
    let long = String(repeating: "x", count: 3 << 20)
    let reading = try read("token,n\nab12,\(long)\ncd34,\"\(long)\"\nef56,\n".utf8)
    #expect(reading.badLines.map(\.error) == [.tooLong, .tooLong])
    #expect(reading.rows == ["a.csv:4 ef56"])
  }

  @Test("Whatever the text, rows and faults are those of the plainest reader")
  func agreement() throws {
    var random = SeededRandom(seed: 11)
    let pieces = ["a", "b1", "\"", "\"", "\"\"", ",", ",", "\n", "\r\n", "\r", " ", "ab12"]
    for _ in 0..<3000 {
      let count = Int.random(in: 0..<25, using: &random)
      let body = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let text = "token,b\n" + body
      guard body.utf8.contains(where: { $0 > 0x20 }) else { continue }
      let list = RecipientSource.file(try folder.file("a.csv", text))
      let reading = try ListReading(
        [list], selection: RecipientSelection(duplicates: .send),
        rendering: EchoRendering(names: ["b"]))
      let plain = PlainTable(text, columns: 2)
      #expect(reading.badLines.map { "\($0.line)" } == plain.badLines, "\(text.debugDescription)")
      #expect(reading.rows == plain.rows, "\(text.debugDescription)")
      #expect(reading.payloads == plain.values.map { "b text \($0)" }, "\(text.debugDescription)")
    }
  }
}

/// A table read in the plainest way: a byte at a time, the whole text in memory.
private struct PlainTable {
  var rows: [String] = []
  var values: [String] = []
  var badLines: [String] = []

  private let text: [UInt8]
  private var place: Int
  private var line = 2

  init(_ text: String, columns: Int) {
    self.text = Array(text.utf8)
    place = Array(text.utf8).firstIndex(of: 0x0A).map { $0 + 1 } ?? 0
    while place < self.text.count { readRow(columns) }
  }

  private func lineEnd(_ place: Int) -> Int {
    guard place < text.count else { return 0 }
    let isPair = text[place] == 0x0D && place + 1 < text.count && text[place + 1] == 0x0A
    return isPair ? 2 : text[place] == 0x0A || text[place] == 0x0D ? 1 : 0
  }

  private mutating func readRow(_ columns: Int) {
    let (start, first) = (place, line)
    while place < text.count, lineEnd(place) == 0 { place += 1 }
    let isBlank = text[start..<place].allSatisfy { $0 <= 0x20 }
    place += lineEnd(place)
    line += 1
    if isBlank { return }
    let next = place
    place = start
    line = first
    if let cells = cells() {
      add(cells, columns, first)
    } else {
      badLines.append("\(first)")
      (place, line) = (next, first + 1)
    }
  }

  private mutating func add(_ cells: [String], _ columns: Int, _ line: Int) {
    if cells.count == columns, let token = try? DeviceToken(tidying: cells[0]) {
      rows.append("a.csv:\(line) \(token.hex)")
      values.append(cells[1])
    } else {
      badLines.append("\(line)")
    }
  }

  /// The cells of one row, whose end is passed; nil when its quotes are wrong.
  private mutating func cells() -> [String]? {
    var cells: [String] = []
    while true {
      guard let cell = cell() else { return nil }
      cells.append(cell)
      if place < text.count, text[place] == UInt8(ascii: ",") {
        place += 1
      } else if place == text.count || lineEnd(place) > 0 {
        place += lineEnd(place)
        line += 1
        return cells
      } else {
        return nil
      }
    }
  }

  private mutating func cell() -> String? {
    var bytes: [UInt8] = []
    guard place < text.count, text[place] == UInt8(ascii: "\"") else {
      while place < text.count, text[place] != UInt8(ascii: ","), lineEnd(place) == 0 {
        bytes.append(text[place])
        place += 1
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    place += 1
    while place < text.count {
      let isQuote = text[place] == UInt8(ascii: "\"")
      let isDouble = isQuote && place + 1 < text.count && text[place + 1] == text[place]
      if isQuote, !isDouble {
        place += 1
        return String(decoding: bytes, as: UTF8.self)
      }
      for _ in 0..<max(1, lineEnd(place)) {
        bytes.append(text[place])
        if lineEnd(place) > 0, bytes.last != 0x0D || lineEnd(place) == 1 { line += 1 }
        place += 1
      }
      if isDouble { place += 1 }
    }
    return nil
  }
}
