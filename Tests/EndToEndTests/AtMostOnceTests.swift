import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("At most once")
struct AtMostOnceTests {
  @Test("a kill writes off few of those who wait for their turn", arguments: [1, 4])
  func slow(_ connections: Int) throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write("list.txt", tokenList(1000))
      let words = [
        "send", "--bundle-id", "com.example.app", "--title", "Hello", "--tokens", "list.txt",
        "--at-most-once", "--rate", "200/s", "--results", "-",
        "--connections", "\(connections)",
      ]
      let program = try fanfare.start(words + server.place + credentials)
      for _ in 0..<5 { _ = program.readLine() }
      program.send(SIGKILL)
      _ = try program.finish()
      let resumed = try fanfare.run(["resume", "--json"] + server.place + credentials)
      let summary = try JSON(text: resumed.output)
      expectSum(of: summary)
      let unknown = try #require(summary["unknown"]?.int)
      // Each connection holds up to 16 who come before one that another has sent to.
      #expect(unknown > 0 && unknown < 120 + 16 * (connections - 1))
      #expect(try #require(summary["accepted"]?.int) > 600)
      #expect(server.emulator.requestCount <= 1000)
    }
  }
}
