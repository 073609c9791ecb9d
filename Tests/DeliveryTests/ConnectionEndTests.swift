import APNS
import Delivery
import HTTP2
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import Testing

@Suite("Connections that end", .timeLimit(.minutes(15)))
struct ConnectionEndTests {
  @Test(
    "GOAWAY in mid-run loses nothing and doubles nothing",
    arguments: [ConnectionEnd.LastStream.half, .current, .exactly(0)])
  func goAway(_ last: ConnectionEnd.LastStream) throws {
    let server = try TestServer { attempt in
      let isDue = attempt.push.number == 300 || attempt.push.number == 900
      return isDue
        ? .goAway(ConnectionEnd(lastStream: last, reason: .shutdown), then: .accept) : nil
    }
    let delivery = try TestRun(connections: 2).send(3000, to: server)
    #expect(delivery[.accepted] == 3000)
    #expect(delivery.summary.resentInDoubt == 0)
    #expect(delivery.report.stopCause == nil)
    delivery.expectAgreement(with: server)
  }

  @Test("A connection that breaks loses nobody", arguments: Drop.allCases)
  func dropped(_ drop: Drop) throws {
    let server = try TestServer { [400, 1200, 2000].contains($0.push.number) ? .drop(drop) : nil }
    let delivery = try TestRun().send(2000, to: server)
    #expect(delivery[.accepted] == 2000)
    #expect(delivery.report.stopCause == nil)
    // Requests that arrive together with the one that is dropped go the same way.
    #expect(2...4 ~= server.emulator.connectionCount)
    delivery.expectAgreement(with: server)
  }

  @Test("A goodbye for a reason that no new connection mends stops the run at once")
  func unwelcome() throws {
    let end = ConnectionEnd(lastStream: .exactly(0), reason: .badCertificateEnvironment)
    let server = try TestServer { _ in .goAway(end, then: .accept) }
    let clock = TestClock()
    let delivery = try TestRun(connections: 2, clock: clock.clock).send(1000, to: server)
    #expect(delivery.report.stopCause == .goodbye(.badCertificateEnvironment))
    #expect(delivery[.notAttempted] == 1000)
    #expect(server.emulator.connectionCount == 1)
    #expect(clock.pauses.isEmpty)
  }

  @Test("A server that ends each connection unanswered is given up after three")
  func endsEach() throws {
    let end = ConnectionEnd(lastStream: .exactly(0))
    let server = try TestServer { _ in .goAway(end, then: .accept) }
    let delivery = try TestRun().send(1000, to: server)
    #expect(delivery.report.stopCause.isLost("GOAWAY with code 0"))
    #expect(delivery[.notAttempted] == 1000)
    #expect(server.emulator.connectionCount == 3)
  }

  @Test("A server that answers each connection with Shutdown is not stormed")
  func shutdown() throws {
    let server = try TestServer { _ in .reject(.shutdown) }
    let clock = TestClock()
    let delivery = try TestRun(clock: clock.clock).send(1000, to: server)
    #expect(delivery.report.stopCause.isBreaker(.shutdown))
    #expect(delivery[.deferred] == 3)
    #expect(delivery[.notAttempted] == 997)
    #expect(server.emulator.connectionCount == 3)
    #expect(clock.pauses.count == 2)
  }

  @Test("Shutdown in mid-run moves to another connection at once")
  func shutdownOnce() throws {
    let server = try TestServer { $0.push.number == 200 ? .reject(.shutdown) : nil }
    let clock = TestClock()
    let delivery = try TestRun(clock: clock.clock).send(3000, to: server)
    #expect(delivery[.accepted] == 2999)
    #expect(delivery[.deferred] == 1)
    #expect(server.emulator.connectionCount == 2)
    #expect(clock.pauses.isEmpty)
  }

  @Test("ENHANCE_YOUR_CALM is answered with a pause of a minute")
  func calm() throws {
    let end = ConnectionEnd(lastStream: .current, errorCode: 11)
    let server = try TestServer { $0.push.number == 200 ? .goAway(end, then: .accept) : nil }
    let clock = TestClock()
    let delivery = try TestRun(clock: clock.clock).send(1000, to: server)
    #expect(delivery[.accepted] == 1000)
    #expect(clock.pauses.first ?? 0 >= 60_000)
    delivery.expectAgreement(with: server)
  }

  @Test("A server that takes one connection gets by with one")
  func oneConnection() throws {
    let server = try TestServer(configure: { $0.connectionLimit = 1 })
    var clock = RunClock.system
    clock.wait = { wake, milliseconds in wake.wait(milliseconds: min(milliseconds, 20)) }
    let shortened = clock
    let delivery = try TestRun(connections: 3, clock: shortened).send(5000, to: server)
    #expect(delivery[.accepted] == 5000)
    #expect(delivery.report.stopCause == nil)
    delivery.expectAgreement(with: server)
  }

  @Test("Nobody listening is tried three times", arguments: [1, 4])
  func refused(_ connections: Int) throws {
    let port = try Listener().port
    let clock = TestClock()
    let run = TestRun(connections: connections, clock: clock.clock)
    let delivery = try run.send(
      [.tokens(deviceTokens(1000))], to: DialTarget(host: "127.0.0.1", port: port))
    guard case .connecting(let error) = delivery.report.stopCause else {
      return #expect(delivery.report.stopCause == nil)
    }
    #expect(error.layer == .tcp)
    #expect(clock.pauses.count == 2)
    #expect(delivery[.notAttempted] == 1000)
    #expect(delivery.results.allSatisfy { $0.attempts == 0 })
  }

  @Test("A server that is not trusted is tried once, and sees no push")
  func untrusted() throws {
    let server = try TestServer()
    let target = DialTarget(host: "127.0.0.1", port: server.emulator.port)
    let delivery = try TestRun(connections: 2).send([.tokens(deviceTokens(300))], to: target)
    guard case .connecting(let error) = delivery.report.stopCause else {
      return #expect(delivery.report.stopCause == nil)
    }
    #expect(error.layer == .certificate(.untrusted))
    #expect(delivery[.notAttempted] == 300)
    #expect(server.emulator.requestCount == 0)
  }
}
