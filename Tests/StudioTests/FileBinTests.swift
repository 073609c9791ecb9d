import Foundation
import TestSupport
import Testing

@testable import Studio

@Suite("The bin of the studio")
struct FileBinTests {
  /// When the first of the files was deleted that are in the bin already.
  private static let begin = 1_700_000_000_000

  @Test("has the order in which files were deleted, however soon after each other")
  func order() throws {
    try withTemporaryFolder { folder in
      let bin = FileBin(in: folder.file("state"), of: folder.file("shop"))
      for number in 0..<50 {
        try folder.put("shop/\(number).json", "{}")
        let file = try ProjectFolder(folder.file("shop")).file("\(number).json")
        _ = try bin.take(file, "\(number).json")
      }
      #expect(bin.entries.map(\.path) == (0..<50).reversed().map { "\($0).json" })
    }
  }

  @Test("keeps the last hundred files, the last one first", arguments: [1, 99, 100, 101])
  func limit(before: Int) throws {
    try withTemporaryFolder { folder in
      try folder.put("shop/new/a.json", "{}")
      let project = ProjectFolder(folder.file("shop"))
      let bin = FileBin(in: folder.file("state"), of: project.root)
      let files = ProjectFiles(project, bin)
      let place = "state/studio-bin/\(FileState.version(of: Array(project.root.utf8)))"
      for number in 0..<before {
        try folder.put("\(place)/\(Self.begin + number)-0/old/\(number).json", "")
      }
      let version = try files.text("new/a.json").version
      guard case .done(let id) = try files.delete("new/a.json", knowing: version) else {
        Issue.record("It was not deleted.")
        return
      }
      let old = (max(0, before - 99)..<before).reversed().map { "old/\($0).json" }
      #expect(bin.entries.map(\.path) == ["new/a.json"] + old && bin.entries.first?.id == id)
      if before < 100 { #expect(bin.entries.last?.removedAt == "2023-11-14T22:13:20.000Z") }
      let folders = try FileManager.default.contentsOfDirectory(atPath: folder.file(place))
      #expect(folders.count == min(before + 1, 100))
      #expect(try files.restore(id) == "new/a.json")
      #expect(try folder.text("shop/new/a.json") == "{}" && bin.entries.map(\.path) == old)
    }
  }
}
