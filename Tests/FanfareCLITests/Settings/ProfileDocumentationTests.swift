import APNS
import Foundation
import Settings
import TestSupport
import Testing

@Suite("What the documents say of profiles")
struct ProfileDocumentationTests {
  private static let docs = projectFolder.appending(path: "docs")

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: docs.appending(path: name), encoding: .utf8)
  }

  /// The JSON5 of a document that holds profiles.
  private static func examples(_ name: String) throws -> [String] {
    try text(name).components(separatedBy: "```json5\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
      .filter { $0.contains("profiles:") }
  }

  @Test("can be read as it stands", arguments: ["formats.md", "configuration.md"])
  func examples(_ name: String) throws {
    let examples = try Self.examples(name)
    #expect(!examples.isEmpty)
    for example in examples {
      let isOwn = example.contains("command:")
      _ = try ProfileFile(
        reading: Array(example.utf8), path: name, home: nil, isOwn: isOwn)
    }
  }

  @Test("tells every key that a profile can have, and has an example of each")
  func keys() throws {
    let page = try Self.text("formats.md")
    let example = try Self.examples("formats.md").joined()
    guard case .object(let file) = ProfileShape.ownFile,
      case .map(.object(let profile))? = file["profiles"]?.shape
    else { throw Missing() }
    for key in file.keys + profile.keys {
      #expect(page.contains("\n| `\(key.name)` | "), "\(key.name)")
      #expect(example.contains(" \(key.name):"), "\(key.name)")
    }
  }

  private struct Missing: Error {}
}
