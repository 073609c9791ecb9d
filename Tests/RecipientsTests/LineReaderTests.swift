import Foundation
import TestSupport
import Testing

@testable import Recipients

@Suite("Lines", .timeLimit(.minutes(15)))
struct LineReaderTests {
  private func lines(_ bytes: some Sequence<UInt8>) throws -> [String] {
    let folder = try KeptFolder()
    let reader = LineReader(descriptor: open(try folder.file("list", bytes), O_RDONLY))
    var lines: [String] = []
    while let line = reader.next() { lines.append(line.text) }
    #expect(reader.line == lines.count)
    #expect(reader.failure == nil)
    return lines
  }

  @Test(
    "Every kind of line end ends a line, and the last line needs none",
    arguments: [
      ("a\nb\n", ["a", "b"]),
      ("a\nb", ["a", "b"]),
      ("a\r\nb\r\n", ["a", "b"]),
      ("a\rb\r", ["a", "b"]),
      ("a\r\rb", ["a", "", "b"]),
      ("a\n\nb", ["a", "", "b"]),
      ("\n", [""]),
      ("\r\n\r\n", ["", ""]),
      ("", []),
      ("\u{FEFF}a\n", ["a"]),
      ("\u{FEFF}", []),
      ("a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
    ])
  func ends(_ text: String, _ expected: [String]) throws {
    #expect(try lines(text.utf8) == expected)
  }

  @Test("Of a very long line the start is returned, and the lines after it keep their numbers")
  func longLine() throws {
    let long = String(repeating: "x", count: 2_500_000)
    let read = try lines("a\n\(long)\r\nb\n\(long)".utf8)
    try #require(read.count == 4)
    #expect(read[0] == "a" && read[2] == "b")
    for line in [read[1], read[3]] {
      #expect(line == long.prefix(LineReader.limit))
    }
  }

  @Test(
    "A line of the greatest length is whole, and one byte more is cut",
    arguments: [("", false), ("\n", false), ("\r\n", false), ("x", true), ("x\nab", true)])
  func greatestLength(_ rest: String, _ isCut: Bool) throws {
    let folder = try KeptFolder()
    let long = String(repeating: "x", count: LineReader.limit)
    let reader = LineReader(descriptor: open(try folder.file("list", long + rest), O_RDONLY))
    #expect(reader.next()?.text == long)
    #expect(reader.isCut == isCut)
    #expect(reader.next()?.text == (rest.hasSuffix("ab") ? "ab" : nil))
    #expect(!reader.isCut)
  }

  @Test("Lines are joined with the ends between them, and given back", arguments: ["\n", "\r\n"])
  func joining(_ end: String) throws {
    let folder = try KeptFolder()
    let path = try folder.file("list", ["a", "b", "c", "d"].joined(separator: end))
    let reader = LineReader(descriptor: open(path, O_RDONLY))
    #expect(reader.next()?.text == "a")
    #expect(reader.extend()?.text == "a\(end)b")
    #expect(reader.extend()?.text == "a\(end)b\(end)c")
    #expect(reader.line == 3)
    #expect(reader.cutBack().text == "a")
    #expect(reader.line == 1)
    #expect(reader.next()?.text == "b")
    #expect(reader.extend()?.text == "b\(end)c")
    #expect(reader.next()?.text == "d")
    #expect(reader.extend() == nil)
    #expect(reader.next() == nil)
  }

  @Test("Lines are joined up to the greatest length, and then none is lost")
  func joiningFar() throws {
    let folder = try KeptFolder()
    let expected = (0..<200_000).map { "line \($0)" }
    let path = try folder.file("list", expected.joined(separator: "\n"))
    let reader = LineReader(descriptor: open(path, O_RDONLY))
    for line in expected.prefix(1000) { #expect(reader.next()?.text == line) }
    var longest = 0
    while let text = reader.extend() { longest = text.count }
    #expect(LineReader.limit - 20...LineReader.limit ~= longest)
    #expect(reader.cutBack().text == expected[999])
    for line in expected[1000...] where reader.next()?.text != line { Issue.record("\(line)") }
    #expect(reader.next() == nil)
  }

  @Test("Lines are whole wherever the buffer's end falls", arguments: ["\n", "\r\n", "\r"])
  func bufferEnds(_ end: String) throws {
    var random = SeededRandom(seed: 7)
    let expected = (0..<20_000).map { number in
      "\(number) " + String(repeating: "y", count: Int.random(in: 0..<90, using: &random))
    }
    #expect(try lines(expected.joined(separator: end).utf8) == expected)
  }

  @Test("A list that is no file is an error of the system, not an end")
  func failure() {
    let reader = LineReader(descriptor: -1)
    #expect(reader.next() == nil)
    #expect(reader.failure == EBADF)
  }

  @Test("A pipe whose writer is slow says that the reader is ahead, until more comes or it ends")
  func slowPipe() {
    // A program that the code under test starts at this moment inherits both ends, and would keep a
    // pipe open. A socket that is shut down has ended, whoever else has it open.
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, streamSocket, 0, &ends) == 0)
    let reader = LineReader(descriptor: ends[0])
    #expect(reader.isAhead)
    #expect(write(ends[1], "aa\nbb\ncc", 8) == 8)
    #expect(!reader.isAhead)
    #expect(reader.next()?.count == 2)
    #expect(!reader.isAhead)
    #expect(reader.next()?.count == 2)
    // Half a line is no line yet.
    #expect(reader.isAhead)
    #expect(write(ends[1], "c\n", 2) == 2)
    #expect(!reader.isAhead)
    #expect(reader.next()?.count == 3)
    #expect(reader.isAhead)
    #expect(shutdown(ends[1], Int32(SHUT_WR)) == 0)
    #expect(!reader.isAhead)
    #expect(reader.next() == nil)
    close(ends[1])
  }

  #if os(Linux)
  @Test("What a failed read leaves of a row is no row, and neither are the lines in it")
  func brokenRow() throws {
    let lists: [(text: String, format: ListFormat)] = [
      ("ab12\ncd3456", .txt), ("{\"token\":\"ab12\"}\n{\"token\":", .jsonl),
      ("token,name\nab12,Ada\ncd34,\"Bob\nef56,Cy\nab", .csv),
    ]
    for (text, format) in lists {
      let lines = LineReader(descriptor: try terminal(thatEndsAfter: text))
      let rows = format.rows(lines, [])
      try rows.begin()
      #expect(rows.advance())
      #expect(String(decoding: try rows.token(), as: UTF8.self) == "ab12")
      for _ in 1...3 { #expect(!rows.advance(), "\(format)") }
      #expect(lines.failure == EIO)
    }
  }

  /// A terminal whose other end writes a text and is closed, which is an error of the system.
  private func terminal(thatEndsAfter text: String) throws -> Int32 {
    var (descriptor, end, mode) = (Int32(-1), Int32(-1), termios())
    cfmakeraw(&mode)
    try #require(openpty(&descriptor, &end, nil, &mode, nil) == 0)
    #expect(write(end, text, text.utf8.count) == text.utf8.count)
    close(end)
    return descriptor
  }
  #endif
}

#if canImport(Glibc)
private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
private let streamSocket = SOCK_STREAM
#endif

extension UnsafeMutableBufferPointer<UInt8> {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
