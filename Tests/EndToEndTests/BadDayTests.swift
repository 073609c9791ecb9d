import APNS
import JSONText
import PushEmulator
import SendingSupport
import TestSupport
import Testing

@Suite("A bad day")
struct BadDayTests {
  /// RST_STREAM with this code says that nothing was processed (RFC 9113 section 8.7).
  private static let refusedStream: UInt32 = 7

  @Test("loses no push: each is accepted once, or is counted as sent twice")
  func nothingIsLost() throws {
    try withFanfare { fanfare in
      let count = 20_000
      try fanfare.folder.write("list.txt", tokenList(count))
      var configuration = EmulatorConfiguration()
      configuration.journal = .file(fanfare.folder.file("journal.jsonl"))
      configuration.answer = Self.answer
      let server = try Server(fanfare, configuration)
      let result = try server.send("--tokens", "list.txt", "--results", "out.jsonl", "--json")
      server.emulator.stop()
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(result.exitCode == 0)
      #expect(summary["accepted"]?.int == count)
      let processed = try fanfare.folder.lines("journal.jsonl")
        .filter { $0.contains(#""processed":true"#) }
      let twice = processed.count - Set(processed.map(token)).count
      #expect(Set(processed.map(token)).count == count)
      #expect(twice <= summary["resentInDoubt"]?.int ?? 0)
      #expect(try fanfare.folder.lines("out.jsonl").count == count)
    }
  }

  /// The mishaps that hit many pushes at once lie further apart than what is in flight, so that no
  /// push meets more of them than it is sent again.
  private static func answer(_ push: IncomingPush) -> EmulatorAnswer? {
    switch push.number {
    case 5000, 15_000: .drop(.rst)
    case 10_000: .goAway(ConnectionEnd(lastStream: .half), then: .accept)
    case let number where number % 1009 == 0: .reset(code: refusedStream)
    default: nil
    }
  }

  @Test("stops at a device token after device token that belongs elsewhere")
  func wrongEnvironment() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(20_000))
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.badDeviceToken) }
      let server = try Server(fanfare, configuration)
      let result = try server.send("--tokens", "list.txt", "--json")
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(result.exitCode == 4)
      #expect(result.errors.contains("BadDeviceToken"))
      #expect((summary["notAttempted"]?.int ?? 0) > 10_000)
    }
  }

  @Test("goes on all the same when told so")
  func noBreaker() throws {
    try withFanfare { fanfare in
      try fanfare.folder.write("list.txt", tokenList(2000))
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.badDeviceToken) }
      let server = try Server(fanfare, configuration)
      let result = try server.send("--tokens", "list.txt", "--json", "--no-breaker")
      let summary = try JSON(text: result.output)
      #expect(result.exitCode == 1)
      #expect(summary["rejected"] == 2000 && summary["reasons"] == ["BadDeviceToken": 2000])
    }
  }

  private func token(_ line: Substring) -> Substring {
    line.split(separator: "\"token\":\"").last?.prefix(64) ?? ""
  }
}
