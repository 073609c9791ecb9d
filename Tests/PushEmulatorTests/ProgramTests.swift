import Foundation
import TestSupport
import Testing

@Suite("A program that a test starts")
struct ProgramTests {
  /// A pipe of another test would not end as long as the program runs.
  @Test("inherits no file that is opened while it starts")
  func files() throws {
    try withTemporaryFolder { folder in
      let isOver = folder.file("over")
      let opener = DispatchGroup()
      opener.enter()
      Thread.detachNewThread {
        while access(isOver, F_OK) != 0 {
          var ends: [Int32] = [-1, -1]
          if pipe(&ends) == 0 { for end in ends { close(end) } }
        }
        opener.leave()
      }
      for _ in 1...40 {
        // Its three streams, and the folder that it lists.
        #expect(try run("ls", ["/dev/fd"], in: folder).output == "0\n1\n2\n3\n")
      }
      try folder.write("over", "")
      opener.wait()
    }
  }

  @Test("is over once it was told to end, whoever asks, and gives its code or none")
  func ends() throws {
    try withTemporaryFolder { folder in
      let program = try Program(path: "/bin/sh", ["-c", "read line; exit 3"], in: folder)
      #expect(program.waitForEnd() == 3)
      program.send(SIGKILL)
      #expect(try program.finish().exitCode == 3)
      let killed = try Program(path: "/bin/sh", ["-c", "echo up; kill -9 $$"], in: folder)
      let result = try killed.finish()
      #expect(result.exitCode == nil && result.output == "up\n")
      #expect(throws: (any Error).self) { try Program(path: "/none", [], in: folder) }
    }
  }
}
