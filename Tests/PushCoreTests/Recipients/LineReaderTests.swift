import Foundation
import Testing

@testable import PushCore

@Suite("Lines", .timeLimit(.minutes(1)))
struct LineReaderTests {
  private func lines(_ bytes: some Sequence<UInt8>) throws -> [String] {
    let folder = try TemporaryFolder()
    let reader = LineReader(descriptor: open(try folder.file("list", bytes), O_RDONLY))
    var lines: [String] = []
    while let line = reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
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
      ("\u{FEFF}", [""]),
      ("a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
    ])
  func ends(_ text: String, _ expected: [String]) throws {
    #expect(try lines(text.utf8) == expected)
  }

  @Test("Of a very long line the start is returned, and the lines after it keep their numbers")
  func longLine() throws {
    let long = String(repeating: "x", count: 1_000_000)
    let read = try lines("a\n\(long)\r\nb\n\(long)".utf8)
    try #require(read.count == 4)
    #expect(read[0] == "a" && read[2] == "b")
    for line in [read[1], read[3]] {
      #expect(line.utf8.count >= LineReader.lineLimit && long.hasPrefix(line))
    }
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
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let reader = LineReader(descriptor: ends[0])
    #expect(reader.isAhead)
    #expect(write(ends[1], "aa\nbb\n", 6) == 6)
    #expect(!reader.isAhead)
    #expect(reader.next()?.count == 2)
    #expect(!reader.isAhead)
    #expect(reader.next()?.count == 2)
    #expect(reader.isAhead)
    close(ends[1])
    #expect(!reader.isAhead)
    #expect(reader.next() == nil)
  }
}
