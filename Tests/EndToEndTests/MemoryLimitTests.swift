import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("A process with little memory", .needs("bash"))
struct MemoryLimitTests {
  private func runLimited(
    _ fanfare: Fanfare, _ limit: String, _ words: [String] = ["explain", "BadDeviceToken"]
  ) throws -> Program.Result {
    let line = "ulimit \(limit); exec \"$0\" \"$@\""
    return try run("bash", ["-c", line, Fanfare.path] + words, in: fanfare.folder)
  }

  @Test("is refused where nobody may raise its limit", arguments: ["-s 64", "-s 512"])
  func refused(limit: String) throws {
    try withFanfare { fanfare in
      let result = try runLimited(fanfare, limit)
      #expect(result.exitCode == 2 && result.output.isEmpty)
      #expect(
        result.errors == """
          fanfare: The stack of this process is limited to \(limit.dropFirst(3)) KiB.
            Raise the limit: ulimit -s 1024

          """)
    }
  }

  #if os(Linux)
  @Test("sends nothing where threads would not find room for their stacks")
  func memory() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      let result = try runLimited(fanfare, "-v 200000", server.words + ["--to", device("0a1b")])
      #expect(result.exitCode == 2 && server.emulator.requestCount == 0)
      #expect(result.errors.contains("The memory of this process is limited to 195 MiB."))
    }
  }
  #endif

  @Test("raises its limit as far as it may")
  func raised() throws {
    try withFanfare { fanfare in
      let result = try runLimited(fanfare, "-S -s 64")
      #expect(result.exitCode == 0 && result.output.contains("BadDeviceToken"), "\(result)")
    }
  }
}
