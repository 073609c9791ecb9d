import APNS
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("A run that is asked for patience")
struct PatienceTests {
  @Test("sends a push again after a 5xx as often as --retries says, under one apns-id")
  func retries() throws {
    try withFanfare { fanfare in
      let witness = Witness()
      let busy = tokenText(7)
      let server = try Server(
        fanfare,
        witness.configuration { push in
          let attempt = witness.sights[push.token.hex]?.ids.count ?? 0
          return push.token.hex == busy && attempt <= 2 ? .reject(.internalServerError) : nil
        })
      try fanfare.folder.write("list.txt", tokenList(20))
      let words = ["--tokens", "list.txt", "--retry-delay", "10ms", "--json", "--no-history"]
      let once = try send(server, words + ["--retries", "1"])
      #expect(once["deferred"] == 1 && once["accepted"] == 19)
      #expect(witness.sights[busy]?.ids.count == 2)
      let twice = try send(server, words + ["--retries", "2"])
      #expect(twice["accepted"] == 20)
      #expect(witness.sights[busy]?.processed == 1)
    }
  }

  @Test("keeps to --rate over all its connections, evenly")
  func rate() throws {
    try withFanfare { fanfare in
      let times = Mutex<[ContinuousClock.Instant]>([])
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in
        times.withLock { $0.append(.now) }
        return nil
      }
      let server = try Server(fanfare, configuration)
      try fanfare.folder.write("list.txt", tokenList(30))
      let summary = try send(
        server, ["--tokens", "list.txt", "--rate", "50/s", "--connections", "3", "--json"])
      #expect(summary["accepted"] == 30)
      // 29 gaps of 20 ms.
      #expect(summary["seconds"]?.number?.double ?? 0 > 0.5)
      let seen = times.withLock { $0 }
      // What a busy machine holds up arrives at once, but not most of them.
      let pairs = zip(seen, seen.dropFirst(5)).map { $0.duration(to: $1) }.sorted()
      #expect(pairs[pairs.count / 2] > .milliseconds(40))
    }
  }

  @Test("of one push does not wait for a device token that gets too many: it is deferred")
  func slowToken() throws {
    try withFanfare { fanfare in
      var configuration = EmulatorConfiguration()
      configuration.answer = { _ in .reject(.tooManyRequests) }
      let server = try Server(fanfare, configuration)
      let result = try server.send("--to", device("0a1b"), "--json")
      let summary = try JSON(text: result.output)
      expectSum(of: summary)
      #expect(result.exitCode == 4 && summary["deferred"] == 1)
      #expect(server.emulator.requestCount == 1)
    }
  }

  private func send(_ server: Server, _ words: [String]) throws -> JSON {
    let common = ["send", "--bundle-id", "com.example.app", "--title", "Hello"]
    let result = try server.fanfare.run(common + server.place + credentials + words)
    let summary = try JSON(text: result.output)
    expectSum(of: summary)
    return summary
  }
}
