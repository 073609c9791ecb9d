import APNS
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Synchronization
import Testing

@testable import Delivery

@Suite("Runs that find the number of their connections", .timeLimit(.minutes(15)))
struct AutomaticConnectionsTests {
  @Test("A short run opens one connection", arguments: [1, 100, 1000])
  func short(count: Int) throws {
    let server = try TestServer()
    let delivery = try automatic().send(count, to: server)
    #expect(delivery[.accepted] == count)
    #expect(server.emulator.connectionCount == 1)
    #expect(delivery.summary.connections == ConnectionFigures(most: 1, limit: .enough))
  }

  @Test("A long one opens more when answers take time, and every push is accepted once")
  func long() throws {
    let server = try distant()
    let delivery = try automatic().send(8000, to: server)
    #expect(delivery[.accepted] == 8000)
    #expect(delivery.results.allSatisfy { $0.attempts == 1 })
    let figures = try #require(delivery.summary.connections)
    #expect(figures.most > 1)
    // The last ones may not have been ready before the end, or have been one too many at first.
    #expect(server.emulator.connectionCount >= figures.most)
    delivery.expectAgreement(with: server)
  }

  @Test("A limit that is lowered is kept to, and everybody is still sent to")
  func limited() throws {
    let limit = ConnectionLimit(2)
    let late = Atomic(0)
    let server = try distant(answer: { attempt in
      if limit.value == 1, attempt.push.connection > 1 { late.add(1, ordering: .relaxed) }
      if attempt.token == 6000 { limit.set(1) }
      return nil
    })
    var run = automatic()
    run.adapt = { $0.connectionLimit = limit }
    let delivery = try run.send(8000, to: server)
    #expect(delivery[.accepted] == 8000)
    #expect(delivery.summary.connections?.most == 2)
    // The connection that is given up sends no more than it had in flight.
    #expect(late.load(ordering: .relaxed) <= 100)
    delivery.expectAgreement(with: server)
  }

  @Test("All of them use one provider token")
  func token() throws {
    let server = try distant()
    _ = try automatic().send(4000, to: server)
    #expect(server.providerTokens == 1)
  }

  @Test("A server that asks to slow down sees one connection")
  func slowedDown() throws {
    let server = try distant(answer: {
      $0.token % 20 == 0 ? .reject(.serviceUnavailable) : nil
    })
    let delivery = try automatic().send(4000, to: server)
    #expect(delivery[.accepted] + delivery[.deferred] == 4000)
    #expect(server.emulator.connectionCount == 1)
    #expect(delivery.summary.connections?.limit == .server)
  }

  @Test("A server that takes one connection gets everything over it, without a pause")
  func oneConnection() throws {
    let server = try distant(configure: { $0.connectionLimit = 1 })
    let delivery = try automatic().send(8000, to: server)
    #expect(delivery[.accepted] == 8000)
    #expect(delivery.results.allSatisfy { $0.attempts == 1 })
    #expect(delivery.summary.connections == ConnectionFigures(most: 1, limit: .server))
  }

  @Test("A server that allows one stream sees one connection")
  func oneStream() throws {
    let server = try TestServer(configure: { $0.maxConcurrentStreams = 1 })
    let delivery = try automatic().send(2000, to: server)
    #expect(delivery[.accepted] == 2000)
    #expect(server.emulator.connectionCount == 1)
  }

  @Test("A connection that is lost has only its own pushes in doubt, and all are accepted")
  func lost() throws {
    let server = try distant(answer: { $0.token == 3000 && $0.attempt == 1 ? .drop(.rst) : nil })
    let delivery = try automatic().send(6000, to: server)
    #expect(delivery[.accepted] == 6000)
    #expect(delivery.summary.resentInDoubt <= 100)
    // That one broke is no reason to open no more.
    #expect(delivery.summary.connections?.limit != .server)
    delivery.expectAgreement(with: server)
  }

  @Test("Ctrl-C ends a run with several connections, and every push has a result")
  func interrupted() throws {
    let control = RunControl()
    let server = try distant(answer: { attempt in
      if attempt.token == 5000 { control.stop(.interrupted) }
      return nil
    })
    var run = automatic()
    run.control = control
    let delivery = try run.send(8000, to: server)
    #expect(delivery.report.stopCause == .interrupted)
    delivery.expectAgreement(with: server)
  }

  private func automatic() -> TestRun {
    var run = TestRun()
    run.connections = .auto
    // Trials take real time: a test's clock would end them at once.
    run.clock = .system
    return run
  }

  /// Each answer takes 50 ms, and a connection carries 100 of them at once.
  private func distant(
    configure: (inout EmulatorConfiguration) -> Void = { _ in },
    answer: @escaping @Sendable (Attempt) -> EmulatorAnswer? = { _ in nil }
  ) throws -> TestServer {
    try TestServer {
      $0.maxConcurrentStreams = 100
      configure(&$0)
    } answer: {
      .delay(milliseconds: 50, then: answer($0) ?? .accept)
    }
  }
}
