import Foundation
import TestSupport
import Testing

@Suite("A program that a test starts")
struct ProgramTests {
  /// A pipe of another test would not end as long as the program runs.
  @Test("inherits no file that is opened while it starts")
  func files() throws {
    try withTemporaryFolder { folder in
      let openPipe: @Sendable () -> Void = {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 { for end in ends { close(end) } }
      }
      try repeating(openPipe, in: folder) {
        for _ in 1...40 {
          // Its three streams, and the folder that it lists.
          let files = try run("ls", ["/dev/fd"], in: folder).output
          #expect(files == "0\n1\n2\n3\n")
        }
      }
    }
  }

  @Test("can be one that was just written, while others are started")
  func written() throws {
    try withTemporaryFolder { folder in
      try repeating({ _ = try? run("true", [], in: folder) }, in: folder) {
        for number in 1...200 {
          let path = try folder.writeProgram("bin/\(number)", "#!/bin/sh\nexit 7\n")
          let program = try Program(path: path, [], in: folder)
          #expect(program.waitForEnd() == 7)
        }
      }
    }
  }

  /// Has another thread do the same over and over for as long as the body runs.
  private func repeating(
    _ action: @escaping @Sendable () -> Void, in folder: TemporaryFolder, _ body: () throws -> Void
  ) throws {
    let isOver = folder.file("over")
    let other = DispatchGroup()
    other.enter()
    Thread.detachNewThread {
      while access(isOver, F_OK) != 0 { action() }
      other.leave()
    }
    let result = Result { try body() }
    try folder.write("over", "")
    other.wait()
    try result.get()
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
      #expect {
        try Program(path: "/none", [], in: folder)
      } throws: { "\($0)".contains("/none") && "\($0)".contains("\(ENOENT)") }
    }
  }
}
