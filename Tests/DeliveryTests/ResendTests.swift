import APNS
import Delivery
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Testing

/// RST_STREAM codes of RFC 9113 section 7.
private let internalError: UInt32 = 2
private let refusedStream: UInt32 = 7

@Suite("Pushes that are sent again", .timeLimit(.minutes(15)))
struct ResendTests {
  @Test("Refused streams are sent again freely, and accepted once")
  func refused() throws {
    let server = try TestServer { attempt in
      attempt.token % 10 == 0 && attempt.attempt == 1 ? .reset(code: refusedStream) : .accept
    }
    let delivery = try TestRun(connections: 2).send(1000, to: server)
    #expect(delivery[.accepted] == 1000)
    #expect(delivery.summary.resentInDoubt == 0)
    #expect(delivery.results.count { $0.attempts == 2 } == 100)
    #expect(server.emulator.connectionCount <= 2)
    delivery.expectAgreement(with: server)
  }

  @Test("A stream that is always refused is deferred after three resends")
  func refusedForEver() throws {
    let server = try TestServer { $0.token == 7 ? .reset(code: refusedStream) : .accept }
    let delivery = try TestRun().send(100, to: server)
    #expect(delivery[.accepted] == 99)
    #expect(delivery[.deferred] == 1)
    #expect(server.ids(of: 7).count == 4)
  }

  @Test("A reset in doubt is sent again with the same apns-id, and counted")
  func inDoubt() throws {
    let server = try TestServer { attempt in
      attempt.token % 10 == 0 && attempt.attempt == 1 ? .reset(code: internalError) : .accept
    }
    let delivery = try TestRun().send(1000, to: server)
    #expect(delivery[.accepted] == 1000)
    #expect(delivery.summary.resentInDoubt == 100)
    for token in stride(from: 0, to: 1000, by: 10) {
      let ids = server.ids(of: token)
      #expect(ids.count == 2 && Set(ids).count == 1)
    }
  }

  @Test("A push that is never answered is unknown after its resends, and the others are not")
  func swallowed() throws {
    let server = try TestServer { $0.token == 42 ? .swallow : .accept }
    let delivery = try TestRun(timeoutMilliseconds: 150).send(100, to: server)
    #expect(delivery[.accepted] == 99)
    #expect(delivery[.unknown] == 1)
    #expect(delivery.summary.resentInDoubt == 1)
    let ids = server.ids(of: 42)
    #expect(ids.count == 4 && Set(ids).count == 1)
    delivery.expectAgreement(with: server)
  }

  @Test("A server that answers nothing at all ends the run in bounded time")
  func blackHole() throws {
    let server = try TestServer { _ in .swallow }
    let clock = TestClock()
    let delivery = try TestRun(timeoutMilliseconds: 150, clock: clock.clock).send(600, to: server)
    #expect(delivery.report.stopCause.isLost("no answer in time"))
    // Four probes on each of three connections.
    #expect(1...12 ~= delivery[.unknown])
    #expect(delivery[.notAttempted] == 600 - delivery[.unknown])
    #expect(server.emulator.connectionCount == 3)
    #expect(clock.pauses.count == 2)
  }

  @Test("An expired provider token is replaced once, and nobody is rejected for it")
  func expired() throws {
    let time = MovableTime()
    let server = try TestServer(
      configure: { $0.now = { Double(time.now) } },
      answer: {
        if $0.push.number == 500 { time.move(by: 3700) }
        return .accept
      })
    let delivery = try TestRun(epochSeconds: { time.now }).send(3000, to: server)
    #expect(delivery[.accepted] == 3000, "\(delivery.report)")
    #expect(server.providerTokens == 2)
    #expect(server.emulator.connectionCount <= 2)
    delivery.expectAgreement(with: server)
  }

  @Test("A push is sent again also if its provider token was replaced before it was called expired")
  func replacedMeanwhile() throws {
    let time = MovableTime()
    // The next push goes out with a new provider token, long before the first is answered.
    let server = try TestServer(
      configure: { $0.now = { Double(time.now) } },
      answer: {
        guard $0.push.number == 3 else { return .accept }
        time.move(by: 3590)
        return .delay(milliseconds: 300, then: .reject(.expiredProviderToken))
      })
    var run = TestRun(clock: .system, rate: PushRate("50"))
    run.epochSeconds = { time.now }
    let delivery = try run.send(5, to: server)
    #expect(delivery[.accepted] == 5)
    #expect(server.providerTokens == 2)
  }

  @Test("A clock that is two hours slow stops the run instead of rejecting everybody")
  func slowClock() throws {
    let server = try TestServer()
    let run = TestRun(epochSeconds: { RunClock.system.epochSeconds - 7200 })
    let delivery = try run.send(1000, to: server)
    #expect(delivery[.accepted] == 0)
    #expect(delivery[.rejected] <= 3)
    #expect(delivery.report.stopCause != nil)
    #expect(server.emulator.requestCount <= 6)
  }
}
