import APNS
import HTTP2
import PushEmulator
import PushModel
import Recipients
import SendingSupport
import Synchronization
import Testing

@testable import Delivery

@Suite("Links that were idle between runs", .timeLimit(.minutes(15)))
struct IdleLinkTests {
  /// How a link comes to its end while nobody uses it.
  enum Loss: CaseIterable {
    case goAway
    case endOfFile
    case both
    case silence

    func order(_ session: ServerSession) -> ScriptedServer.Conduct {
      switch self {
      case .goAway, .both: session.goAway(GoAway(lastStream: .max, errorCode: 0, debugData: [1]))
      case .endOfFile, .silence: break
      }
      return switch self {
      case .goAway: .goesOn
      case .endOfFile, .both: .hangsUp
      case .silence: .fallsSilent
      }
    }
  }

  @Test(
    "A link that the server has left is replaced before a push is on it, and that is no trouble",
    arguments: Loss.allCases, [true, false])
  func stale(_ loss: Loss, _ isAtMostOnce: Bool) throws {
    let server = try ScriptedServer(streams: 100) { _, _ in }
    var runs = try PooledRuns(to: server.target)
    runs.run.retryRules.isAtMostOnce = isAtMostOnce
    #expect(try runs.send()[.accepted] == 50)
    #expect(server.order(loss.order))
    if loss == .silence { runs.clock.skip(seconds: 3600) } else { runs.pool.awaitNews() }
    let delivery = try runs.send()
    #expect(delivery[.accepted] == 50 && delivery.results.allSatisfy { $0.attempts == 1 })
    #expect(server.connectionCount == 2 && runs.pool.idleCount == 1)
    #expect(runs.clock.pauses.isEmpty)
  }

  @Test("An old word of a server is no sign of life: it is asked all the same")
  func oldWord() throws {
    let server = try ScriptedServer(streams: 100) { _, _ in }
    let runs = try PooledRuns(to: server.target)
    _ = try runs.send()
    #expect(
      server.order { session in
        try session.announce(maxConcurrentStreams: 50)
        return .fallsSilent
      })
    runs.pool.awaitNews()
    runs.clock.skip(seconds: 3600)
    let delivery = try runs.send()
    #expect(delivery[.accepted] == 50 && delivery.results.allSatisfy { $0.attempts == 1 })
    #expect(server.connectionCount == 2)
  }

  @Test("A link that was silent for an hour and answers a PING is used")
  func awake() throws {
    let server = try TestServer()
    let runs = try PooledRuns(to: server.target)
    _ = try runs.send()
    runs.clock.skip(seconds: 3600)
    #expect(try runs.send()[.accepted] == 50)
    #expect(server.emulator.connectionCount == 1)
  }

  @Test("Once a link broke, the run dials: the pool's others may be no better")
  func broken() throws {
    let isBad = Atomic(false)
    let meeting = Meeting(of: 3)
    let server = try TestServer { attempt in
      guard attempt.push.connection <= 3 else { return nil }
      if attempt.push.stream == 1 { meeting.attend() }
      return isBad.load(ordering: .relaxed) ? .drop(.rst) : nil
    }
    let pool = LinkPool(server.target, try TestRun.newKey())
    onThreads(3) { number in
      _ = try? TestRun(pool).send([.tokens(deviceTokens(number..<number + 1))], to: server.target)
    }
    #expect(pool.idleCount == 3)
    isBad.store(true, ordering: .relaxed)
    let delivery = try TestRun(pool).send([.tokens(deviceTokens(9..<10))], to: server.target)
    #expect(delivery[.accepted] == 1 && delivery.results.first?.attempts == 2)
    #expect(server.emulator.connectionCount == 4 && pool.idleCount == 3)
  }

  @Test("A server that finds the client too eager is given its minute, also between runs")
  func calm() throws {
    let server = try ScriptedServer(streams: 100) { _, _ in }
    let runs = try PooledRuns(to: server.target)
    _ = try runs.send()
    #expect(
      server.order { session in
        session.goAway(GoAway(lastStream: .max, errorCode: 11, debugData: []))
        return .hangsUp
      })
    runs.pool.awaitNews()
    #expect(try runs.send()[.accepted] == 50)
    #expect(runs.clock.pauses.count == 1 && runs.clock.pauses.first ?? 0 >= 60_000)
  }

  // MARK: What stays with a link

  @Test("The server's limit on streams stays known, and is heard of when it changes between runs")
  func limit() throws {
    let control = Mutex(RunControl())
    let most = Mutex(0)
    let server = try ScriptedServer(streams: 5) { _, _ in
      let inFlight = control.withLock { $0 }.inFlight
      most.withLock { $0 = max($0, inFlight) }
    }
    let pool = LinkPool(server.target, try TestRun.newKey())
    for limit in [5, 5, 3] {
      if limit == 3 {
        #expect(
          server.order { session in
            try session.announce(maxConcurrentStreams: 3)
            return .goesOn
          })
        pool.awaitNews()
      }
      let run = TestRun(pool)
      control.withLock { $0 = run.control }
      most.withLock { $0 = 0 }
      let list = try RecipientSource.tokens(deviceTokens(400))
      #expect(try run.send([list], to: server.target)[.accepted] == 400)
      #expect(2...limit ~= most.withLock { $0 })
    }
    #expect(server.connectionCount == 1)
  }
}

/// Runs to fifty devices each that share the links of a pool, and a clock that the test moves.
private struct PooledRuns {
  let target: DialTarget
  let pool: LinkPool
  let clock = TestClock()
  var run: TestRun

  init(to target: DialTarget) throws {
    self.target = target
    pool = LinkPool(target, try TestRun.newKey())
    run = TestRun(pool)
    run.clock = clock.clock
  }

  func send() throws -> Delivery { try run.send([.tokens(deviceTokens(50))], to: target) }
}

extension LinkPool {
  /// Waits until the idle link used last has something to read.
  fileprivate func awaitNews() {
    guard let wake = Wake(), let link = take() else { return }
    link.wait(forRoom: false, wake: wake, milliseconds: 10_000)
    put(link)
  }
}
