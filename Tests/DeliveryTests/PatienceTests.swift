import APNS
import Delivery
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Synchronization
import Testing

@Suite("Pushes that wait for their next try", .timeLimit(.minutes(15)))
struct PatienceTests {
  private static func rules(_ change: (inout RetryRules) -> Void = { _ in }) -> RetryRules {
    var rules = RetryRules(retryDelayMilliseconds: 1)
    rules.slowTokenGapMilliseconds = 1
    change(&rules)
    return rules
  }

  private static let tooMany = EmulatorAnswer.reject(.tooManyRequests)
  private static let unavailable = EmulatorAnswer.reject(.serviceUnavailable)

  @Test("A slow device token is tried until it is taken, with one apns-id, and holds nobody up")
  func slowToken() throws {
    let server = try TestServer {
      $0.token % 50 == 0 && $0.attempt < 5 ? Self.tooMany : .accept
    }
    let delivery = try TestRun(retryRules: Self.rules()).send(500, to: server)
    #expect(delivery[.accepted] == 500)
    #expect(delivery.results.count { $0.attempts == 5 } == 10)
    #expect(Set(server.ids(of: 50)).count == 1)
    delivery.expectAgreement(with: server)
  }

  @Test("After five tries a slow device token is deferred, with the last answer")
  func slowForEver() throws {
    let server = try TestServer { $0.token == 7 ? Self.tooMany : .accept }
    let delivery = try TestRun(retryRules: Self.rules()).send(20, to: server)
    #expect(delivery[.accepted] == 19)
    let result = try #require(delivery.results.first { $0.outcome == .deferred })
    #expect(result.attempts == 5 && result.response?.reason == .tooManyRequests)
  }

  @Test("5xx is deferred at once, unless retries are allowed")
  func later() throws {
    let server = try TestServer { $0.attempt < 3 ? Self.unavailable : .accept }
    #expect(try TestRun(retryRules: Self.rules()).send(10, to: server)[.deferred] == 10)
    let rules = Self.rules { $0.retries = 2 }
    let again = try TestServer { $0.attempt < 3 ? Self.unavailable : .accept }
    let delivery = try TestRun(retryRules: rules).send(10, to: again)
    #expect(delivery[.accepted] == 10)
    #expect(delivery.results.allSatisfy { $0.attempts == 3 })
  }

  @Test("A push that expires while it waits is skipped with the answer it had, and said to be late")
  func expired() throws {
    let server = try TestServer { $0.token == 2 ? Self.unavailable : .accept }
    let rules = Self.rules { $0.retries = 3 }
    let delivery = try TestRun(retryRules: rules, expiresAt: 1).send(10, to: server)
    #expect(delivery[.accepted] == 9 && delivery[.skipped] == 1)
    #expect(delivery.summary.expired == 1)
    let result = try #require(delivery.results.first { $0.outcome == .skipped })
    #expect(result.attempts == 1 && result.response?.reason == .serviceUnavailable)
    #expect(server.ids(of: 2).count == 1)
  }

  @Test("What expires before its turn is not sent, and who had their turn is not asked")
  func late() throws {
    let now = Atomic<Int64>(1_000_000)
    let server = try TestServer { _ in
      now.store(2_000_000, ordering: .relaxed)
      return nil
    }
    var run = TestRun(retryRules: Self.rules(), expiresAt: 1500)
    run.clock.epochMilliseconds = { now.load(ordering: .relaxed) }
    let delivery = try run.send(10, to: server)
    #expect(delivery[.accepted] == 1 && delivery[.skipped] == 9)
    #expect(delivery.summary.expired == 9)
  }

  @Test("A push that waits while the run is stopped is deferred with the answer it had")
  func stopped() throws {
    let control = RunControl()
    let server = try TestServer { attempt in
      if attempt.token == 9 { control.stop(.interrupted) }
      return attempt.token == 2 ? Self.unavailable : .accept
    }
    let rules = Self.rules {
      $0.retries = 1
      $0.retryDelayMilliseconds = 3_600_000
    }
    let delivery = try TestRun(control: control, retryRules: rules).send(10, to: server)
    #expect(delivery[.deferred] == 1)
    let result = try #require(delivery.results.first { $0.outcome == .deferred })
    #expect(result.response?.reason == .serviceUnavailable && result.answeredAt != nil)
  }

  @Test("At most once, a push without an answer is unknown and not sent again")
  func atMostOnce() throws {
    let server = try TestServer { $0.token == 5 ? .reset(code: 2) : .accept }
    let rules = Self.rules { $0.isAtMostOnce = true }
    let delivery = try TestRun(retryRules: rules).send(20, to: server)
    #expect(delivery[.accepted] == 19 && delivery[.unknown] == 1)
    #expect(server.ids(of: 5).count == 1)
    #expect(delivery.summary.resentInDoubt == 0)
  }

  @Test("A rate paces the attempts of all connections together")
  func rate() throws {
    // Time passes only where somebody looks at the clock, so that a slow machine changes nothing.
    let time = Atomic<UInt64>(0)
    let sent = Atomic<UInt64>(0)
    let early = Atomic(0)
    let server = try TestServer { _ in
      let number = sent.add(1, ordering: .relaxed).newValue
      // One goes at once, and ten may catch up.
      let isEarly = number > 11 + time.load(ordering: .relaxed) / 1_000_000
      early.add(isEarly ? 1 : 0, ordering: .relaxed)
      return .accept
    }
    let rate = try #require(PushRate(1000, perMilliseconds: 1000))
    var run = TestRun(connections: 3, rate: rate)
    run.clock.monotonic = { time.add(50_000, ordering: .relaxed).newValue }
    #expect(try run.send(200, to: server)[.accepted] == 200)
    #expect(early.load(ordering: .relaxed) == 0)
  }
}
