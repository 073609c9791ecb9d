import Foundation
import JSONText
import TestSupport
import Testing

@testable import Studio

@Suite("What the studio remembers for its page")
struct ProjectMemoryTests {
  @Test("is kept by name in a file that only the user can read, for each project")
  func values() throws {
    try withTemporaryFolder { folder in
      let memory = ProjectMemory(in: folder.file("state"), of: "/shop")
      #expect(memory.values == [:])
      try memory.keep("a", ["to": "x"])
      try memory.keep("b", 1)
      try memory.keep("a", nil)
      #expect(ProjectMemory(in: folder.file("state"), of: "/shop").values == ["b": 1, "a": nil])
      #expect(ProjectMemory(in: folder.file("state"), of: "/other").values == [:])
      let place = folder.file("state/studio-memory")
      let name = try #require(try FileManager.default.contentsOfDirectory(atPath: place).first)
      var status = stat()
      try #require(stat("\(place)/\(name)", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      try ProjectMemory(in: nil, of: "/shop").keep("a", 1)
    }
  }

  @Test("is a mebibyte at most, of what was kept last", arguments: [0, 1])
  func limit(more: Int) throws {
    try withTemporaryFolder { folder in
      let memory = ProjectMemory(in: folder.file("state"), of: "/shop")
      try memory.keep("a", 1)
      // {"a":1,"b":"…"}
      let length = ProjectMemory.limit - #"{"a":1,"b":""}"#.utf8.count + more
      let text = JSON(.string(String(repeating: "x", count: length)))
      try memory.keep("b", text)
      #expect(memory.values == (more == 0 ? ["a": 1, "b": text] : ["b": text]))
    }
  }
}
