import Foundation
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("At most once")
struct AtMostOnceTests {
  @Test("a kill writes off few of those who wait for their turn")
  func slow() throws {
    try withFanfare { fanfare in
      let server = try Server(fanfare)
      try fanfare.folder.write("list.txt", tokenList(1000))
      let words = [
        "send", "--bundle-id", "com.example.app", "--title", "Hello", "--tokens", "list.txt",
        "--at-most-once", "--rate", "200/s", "--results", "-",
      ]
      let program = try fanfare.start(words + server.place + credentials)
      for _ in 0..<5 { _ = program.readLine() }
      program.send(SIGKILL)
      _ = try program.finish()
      let resumed = try fanfare.run(["resume", "--json"] + server.place + credentials)
      let summary = try JSON(text: resumed.output)
      expectSum(of: summary)
      let unknown = try #require(summary["unknown"]?.int)
      #expect(unknown > 0 && unknown < 120)
      #expect(try #require(summary["accepted"]?.int) > 600)
      #expect(server.emulator.requestCount <= 1000)
    }
  }
}
