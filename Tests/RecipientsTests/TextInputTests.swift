import Foundation
import Testing

@testable import Recipients

@Suite("The text of a list", .timeLimit(.minutes(15)))
struct TextInputTests {
  static let texts: [(bytes: [UInt8], text: [UInt8])] = [
    ([], []), ([0x61], [0x61]), ([0xEF], [0xEF]), ([0xFE], [0xFE]), ([0xFF], [0xFF]),
    ([0xEF, 0xBB], [0xEF, 0xBB]), ([0xEF, 0xBB, 0xBF], []), ([0xEF, 0xBB, 0xBF, 0x61], [0x61]),
    ([0xFF, 0xFE], []), ([0xFE, 0xFF], []), ([0xFF, 0x61, 0x62], [0xFF, 0x61, 0x62]),
    ([0xFF, 0xFE, 0x61, 0, 0x0A, 0], [0x61, 0x0A]),
    ([0xFE, 0xFF, 0, 0x61, 0, 0x0A], [0x61, 0x0A]),
    // UTF-16 without a mark; other zero bytes are text.
    ([0x61, 0, 0x0A, 0], [0x61, 0x0A]), ([0, 0x61, 0, 0x0A], [0x61, 0x0A]),
    ([0x61, 0, 0x0A, 0, 0x3D, 0xD8, 0x4B, 0xDC], [0x61, 0x0A, 0xF0, 0x9F, 0x91, 0x8B]),
    ([0x61, 0], [0x61, 0]), ([0x61, 0, 0x62], [0x61, 0, 0x62]), ([0, 0, 0, 0], [0, 0, 0, 0]),
    ([0x61, 0, 0, 0x62], [0x61, 0, 0, 0x62]), ([0, 0x61], [0, 0x61]),
    // Broken UTF-16: half a unit, a lone high surrogate, a lone low one, two high ones.
    ([0xFF, 0xFE, 0x61, 0, 0x62], [0x61, 0xFF]),
    ([0xFE, 0xFF, 0xD8, 0x3D], [0xFF]),
    ([0xFE, 0xFF, 0xDC, 0x4B, 0, 0x61], [0xFF, 0x61]),
    ([0xFE, 0xFF, 0xD8, 0x3D, 0xD8, 0x3D, 0xDC, 0x4B], [0xFF, 0xF0, 0x9F, 0x91, 0x8B]),
    ([0xFF, 0xFE, 0x3D, 0xD8, 0x61], [0xFF]),
  ]

  @Test("is UTF-8, whatever it was and however few bytes come at a time", arguments: texts)
  func reading(_ row: (bytes: [UInt8], text: [UInt8])) throws {
    for pieceLength in [1, 2, 3, 100] {
      #expect(try read(row.bytes, piecesOf: pieceLength) == row.text, "\(pieceLength)")
    }
  }

  @Test("keeps every character of UTF-16", arguments: [true, false], [1, 7, 1000, 100_000])
  func characters(_ isBigEndian: Bool, _ pieceLength: Int) throws {
    let text = String(
      repeating: "a\u{7F}\u{80}é\u{7FF}\u{800}€\u{FFFD}👋\u{10FFFF}\r\n", count: 3000)
    let units = Array(text.utf16.prefix(pieceLength == 1 ? 300 : .max))
    let bytes = ([0xFEFF] + units).flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? pair : pair.reversed()
    }
    #expect(
      try read(bytes, piecesOf: pieceLength) == Array(String(decoding: units, as: UTF16.self).utf8))
  }

  /// Reads what comes through a pipe, so many bytes at a time.
  private func read(_ bytes: [UInt8], piecesOf length: Int) throws -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let writer = ends[1]
    Thread.detachNewThread {
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(length))
        rest = rest.dropFirst(write(writer, piece, piece.count))
        sched_yield()
      }
      close(writer)
    }
    let input = TextInput(descriptor: ends[0])
    let target = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
    defer { target.deallocate() }
    var text: [UInt8] = []
    while true {
      let count = input.read(into: target)
      if count == 0 { return text }
      text += target[..<count]
    }
  }
}
