import Foundation
internal import PushModel
internal import Recipients
import Synchronization

extension FuzzTarget {
  /// A token list, read as each of the formats: every line is counted once.
  static let tokenList = FuzzTarget("TokenList") { bytes in
    let path = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(filePath: path))
    for format in ListFormat.allCases { try read(path, as: format) }
  }

  private static func read(_ path: String, as format: ListFormat) throws {
    let found = Mutex<[Int]>([])
    let recipients = Result { () throws(ListError) in
      try RecipientReader([.file(path)], format: format) { line in
        found.withLock { $0.append(line.line) }
      }
    }
    guard case .success(var reader) = recipients else { return }
    var lines: [Int] = []
    while let chunk = try reader.next() { lines += try checkedLines(of: chunk) }
    let (counts, bad) = (reader.counts, found.withLock { $0 })
    try expect(counts.pushes == lines.count, "a line is a push or something else", "\(counts)")
    try expect(counts.badLines == bad.count, "every bad line is told", "\(counts), \(bad)")
    try expect(isRising(lines) && isRising(bad), "lines come in order", "\(lines), \(bad)")
    try expect(Set(lines).isDisjoint(with: bad), "no line is two things", "\(lines), \(bad)")
  }

  private static func checkedLines(of chunk: PushChunk) throws -> [Int] {
    try (0..<chunk.count).map { index in
      let token = chunk.push(at: index).token
      let isHex = token.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
      try expect(isHex && !token.isEmpty, "a token is hex in lower case", token)
      return chunk.line(at: index)
    }
  }

  private static func isRising(_ numbers: [Int]) -> Bool {
    zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }
}
