import APNS
import Dispatch
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("Runs that share a worker", .needsPostgreSQL)
struct FairQueueTests {
  /// Puts another run into the queue.
  private func enqueue(_ numbers: ClosedRange<Int>, _ words: String..., in queue: Queue) throws {
    let list = "more-\(numbers.lowerBound).txt"
    try queue.fanfare.folder.write(list, numbers.map { tokenText($0) + "\n" }.joined())
    let result = try queue.fanfare.run(
      ["send", "--enqueue", "--bundle-id", "com.example.app", "--title", "Small"] + credentials
        + ["--server", queue.server.emulator.url, "--history", queue.database.address]
        + ["--tokens", list] + words)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test(
    "let a small one through before a large one ends",
    arguments: [[], ["--urgent"]])
  func small(words: [String]) throws {
    try withQueue(of: 30_000, words: ["--rate", "500/s"]) { queue in
      let worker = try queue.work()
      queue.arrived.wait()
      let small = 40_001...40_500
      try words.isEmpty
        ? enqueue(small, in: queue) : enqueue(small, "--urgent", in: queue)
      // The large one takes a minute at its rate, which the small one does not share.
      let last = Set(small.map(tokenText))
      while !last.isSubset(of: queue.witness.processed) { queue.arrived.wait() }
      #expect(queue.witness.processed.count < 30_000)
      try queue.hasten()
      let result = try worker.finish()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.errors.contains("another run's turn"), "\(result.errors)")
      expectSame(queue.witness.processed, Set((1...30_000).map(tokenText)).union(last))
      expectSame(queue.sentTwice, [])
    }
  }

  @Test("are begun with the urgent one")
  func urgentFirst() throws {
    let order = Mutex<[String]>([])
    try withQueue(of: 20) { push in
      order.withLock { $0.append(push.token?.hex ?? "") }
      return nil
    } _: { queue in
      try enqueue(31...32, "--urgent", in: queue)
      #expect(try queue.work().finish().exitCode == 0)
      let tokens = order.withLock { $0 }
      expectSame(Set(tokens.prefix(2)), Set([31, 32].map(tokenText)))
      #expect(tokens.count == 22)
    }
  }

  @Test("are urgent only in the queue")
  func withoutQueue() throws {
    try withFanfare { fanfare in
      let result = try fanfare.send("--to", tokenText(1), "--urgent")
      #expect(result.exitCode == 2)
      #expect(result.errors.contains("'--urgent' is for runs in the queue"), "\(result.errors)")
    }
  }
}
