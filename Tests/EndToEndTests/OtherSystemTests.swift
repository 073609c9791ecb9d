import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

#if os(Linux)
@Suite("On a system like macOS or Alpine Linux", .timeLimit(.minutes(15)))
struct OtherSystemTests {
  private func withOtherSystem(_ body: (Fanfare, OtherSystem) throws -> Void) throws {
    try withFanfare { try body($0, OtherSystem(in: $0.folder)) }
  }

  @Test("history tail ends when its reader has gone")
  func readerGone() throws {
    try withOtherSystem { fanfare, system in
      #expect(try fanfare.send("--to", device("0a1b")).exitCode == 0)
      let program = try Program(
        path: "/bin/sh", ["-c", "\"$0\" history tail --lines 1 | head -n 1", Fanfare.path],
        in: fanfare.folder, environment: system.environment())
      let result = try program.finish()
      #expect(result.exitCode == 0 && result.output.contains("accepted"))
    }
  }

  @Test("scenarios that run at once have room on their threads' stacks")
  func scenarios() throws {
    try withOtherSystem { fanfare, system in
      let files = ["a.json5", "b.json5"]
      for file in files { try fanfare.folder.write(file, ScenarioText.good(file)) }
      let result = try fanfare.run(
        ["run", "--parallel", "2"] + files, environment: system.environment())
      #expect(result.exitCode == 0, "\(result.errors)")
    }
  }

  @Test("lists of deeply nested JSON have room on the reader's stack")
  func deepList() throws {
    try withOtherSystem { fanfare, system in
      let deep = String(repeating: #"{"a":"#, count: 31) + "1" + String(repeating: "}", count: 31)
      try fanfare.folder.write("list.jsonl", #"{"token":"\#(device("0a1b"))","v":\#(deep)}"#)
      let result = try fanfare.run(
        ["send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi", "--no-history"]
          + ["--tokens", "list.jsonl", "--set", "v={{v}}"],
        environment: system.environment())
      #expect(result.exitCode == 0, "\(result.errors)")
    }
  }

  @Test("an SQLite that is too old for a history is named before anything is sent")
  func oldSQLite() throws {
    try withOtherSystem { fanfare, system in
      let words = ["send", "--env", "emulator", "--bundle-id", "a.b", "--title", "Hi"]
      let old = system.environment(sqlite: 3_034_001)
      let result = try fanfare.run(words + ["--to", device("0a1b")], environment: old)
      #expect(result.exitCode == 2 && result.output.isEmpty)
      #expect(result.errors.contains("The history needs SQLite 3.37 or newer; this is 3.34.1."))
      #expect(result.errors.contains("--no-history sends without one."))
      let without = words + ["--to", device("0a1b"), "--no-history"]
      #expect(try fanfare.run(without, environment: old).exitCode == 0)
    }
  }
}
#endif

@Suite("The limit of open files")
struct OpenFilesTests {
  @Test("is raised as far as the system allows: macOS starts programs with 256")
  func raised() throws {
    #expect(try mostConnections("ulimit -Sn 40") == 16)
    #expect(1...15 ~= (try mostConnections("ulimit -n 40")))
  }

  @Test("is not raised for the programs that it starts")
  func programs() throws {
    try withFanfare { fanfare in
      try fanfare.folder.writeProgram(
        "bin/xcrun", "#!/bin/sh\nulimit -Sn > limit.txt\ncat > /dev/null\n")
      let words = ["simulate", "--title", "Hi", "--bundle-id", "a.b", "--booted"]
      let program = try Program(
        path: "/bin/sh", ["-c", "ulimit -Sn 57; exec \"$0\" \"$@\"", Fanfare.path] + words,
        in: fanfare.folder, environment: ["PATH": fanfare.folder.file("bin") + ":/usr/bin:/bin"])
      #expect(try program.finish().exitCode == 0)
      #expect(try fanfare.folder.text("limit.txt") == "57\n")
    }
  }

  /// How many connections `send` opens at most when its shell sets a limit.
  private func mostConnections(_ limit: String) throws -> Int {
    let most = Mutex(0)
    let emulator = Mutex<Emulator?>(nil)
    var configuration = EmulatorConfiguration()
    configuration.maxConcurrentStreams = 50
    // So slow that every connection that can be opened is.
    configuration.answer = { _ in
      let open = emulator.withLock { $0?.openConnectionCount } ?? 0
      most.withLock { $0 = max($0, open) }
      return .delay(milliseconds: 20, then: .accept)
    }
    try withFanfare { fanfare in
      let server = try Server(fanfare, configuration)
      emulator.withLock { $0 = server.emulator }
      try fanfare.folder.write("list.txt", tokenList(6000))
      let words = server.words + ["--tokens", "list.txt", "--connections", "16"]
      let program = try Program(
        path: "/bin/sh", ["-c", "\(limit); exec \"$0\" \"$@\"", Fanfare.path] + words,
        in: fanfare.folder)
      #expect(try program.finish().exitCode == 0)
    }
    return most.withLock { $0 }
  }
}
