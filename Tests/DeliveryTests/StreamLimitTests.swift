import Delivery
import HTTP2
import PushModel
import Recipients
import SendingSupport
import Synchronization
import Testing

@Suite("The server's limit on streams", .timeLimit(.minutes(15)))
struct StreamLimitTests {
  @Test("A limit that is lowered to one and raised again in mid-run is kept to, and loses nobody")
  func lowered() throws {
    let most = Mutex<[Range<Int>: Int]>([:])
    let server = try ScriptedServer(streams: 20) { number, session in
      if number == 200 { try session.announce(maxConcurrentStreams: 1) }
      if number == 400 { try session.announce(maxConcurrentStreams: 1000) }
      // Twenty requests may be on their way when the limit falls, and one when it rises.
      for part in [0..<200, 240..<400, 420..<2000] where part.contains(number) {
        most.withLock { $0[part] = max($0[part] ?? 0, session.openCount) }
      }
    }
    let delivery = try TestRun().send([.tokens(deviceTokens(2000))], to: server.target)
    #expect(delivery[.accepted] == 2000)
    #expect(delivery.results.allSatisfy { $0.attempts == 1 })
    let seen = most.withLock { $0 }
    #expect(2...20 ~= seen[0..<200] ?? 0)
    #expect(seen[240..<400] == 1)
    #expect(seen[420..<2000] ?? 0 > 20)
  }

  @Test("A limit of zero that is never raised ends the run in bounded time")
  func zero() throws {
    let server = try ScriptedServer(streams: 0) { _, _ in }
    let delivery = try TestRun(timeoutMilliseconds: 100).send(
      [.tokens(deviceTokens(300))], to: server.target)
    #expect(delivery[.notAttempted] == 300)
    #expect(delivery.report.stopCause != nil)
  }
}
