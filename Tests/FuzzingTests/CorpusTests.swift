import Foundation
import Fuzzing
import Testing

/// `make fuzz` begins with the files in `Fuzzing/Corpus`. What it finds is added there, and so
/// stays tested without it.
@Suite("The corpus of the fuzzer")
struct CorpusTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

  private static func names(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: corpus.appending(path: folder).path)
  }

  @Test("Every target has a folder, and there is no other")
  func folders() throws {
    #expect(try Self.names().sorted() == FuzzTarget.all.map(\.name).sorted())
  }

  @Test("Nothing breaks a promise", .timeLimit(.minutes(15)), arguments: FuzzTarget.all.map(\.name))
  func promises(of name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let files = try Self.names(in: name)
    #expect(!files.isEmpty)
    for file in files {
      let bytes = try [UInt8](Data(contentsOf: Self.corpus.appending(path: "\(name)/\(file)")))
      #expect(throws: Never.self, "\(file)") { try target.check(bytes) }
    }
  }
}
