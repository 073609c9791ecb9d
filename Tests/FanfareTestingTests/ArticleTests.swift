import Foundation
import Testing

@Suite("The code in articles")
struct ArticleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let articles: [String] = ["Fanfare", "FanfareTesting"].flatMap { module in
    let folder = "Sources/\(module)/\(module).docc"
    let names = try? FileManager.default.contentsOfDirectory(atPath: root.path + "/" + folder)
    return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  @Test(
    "Each block stands in a file that is compiled, word for word",
    arguments: articles + ["README.md"])
  func compiled(_ article: String) throws {
    let compiled = try Self.compiledLines()
    for block in try Self.blocks(of: article) {
      let place = compiled.indices.first { compiled[$0...].starts(with: block) }
      #expect(place != nil, "no file in Tests/FanfareTestingTests/Articles has: \(block)")
    }
  }

  @Test("There are articles with code")
  func found() throws {
    let count = try Self.articles.map { try Self.blocks(of: $0).count }.reduce(0, +)
    #expect(Self.articles.count >= 8 && count >= 15)
  }

  /// The blocks of Swift in a page, without imports, which stand at the top of the compiled file.
  private static func blocks(of page: String) throws -> [[String]] {
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    return text.components(separatedBy: "```swift\n").dropFirst().map { rest in
      words(rest.components(separatedBy: "\n```")[0])
    }
  }

  private static func compiledLines() throws -> [String] {
    let folder = root.appending(path: "Tests/FanfareTestingTests/Articles")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.flatMap { name in
      words(try String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
  }

  /// The lines without imports, indentation and empty ones.
  private static func words(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }
}
