import APNS
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Synchronization
import Testing

@testable import Delivery

@Suite("Which connection goes ahead", .timeLimit(.minutes(15)))
struct OpeningTests {
  @Test("The first does at the start, and the others follow its answer alone")
  func start() throws {
    let (opening, wake) = (ConnectionGate(), try #require(Wake()))
    #expect(!opening.admits(1, orWake: wake))
    #expect(opening.admits(0, orWake: wake))
    opening.end(by: 1)
    #expect(!opening.admits(1, orWake: wake))
    opening.end(by: 0)
    #expect(opening.admits(1, orWake: wake) && opening.admits(2, orWake: wake))
  }

  @Test("After a pause it is the one that asks first, and earlier ones do not end it")
  func pause() throws {
    let (opening, wake) = (ConnectionGate(), try #require(Wake()))
    opening.end(by: 0)
    opening.begin()
    opening.end(by: 0)
    #expect(opening.admits(2, orWake: wake))
    #expect(!opening.admits(0, orWake: wake) && opening.admits(2, orWake: wake))
    opening.end(by: 2)
    #expect(opening.admits(0, orWake: wake))
  }

  @Test("One that has nothing to send lets another go ahead, and wakes those that wait")
  func leave() throws {
    let (opening, wake) = (ConnectionGate(), try #require(Wake()))
    #expect(!opening.admits(1, orWake: wake))
    opening.leave(0)
    wake.wait(milliseconds: nil)
    #expect(opening.admits(1, orWake: wake) && !opening.admits(0, orWake: wake))
    opening.leave(0)
    #expect(!opening.admits(0, orWake: wake))
  }

  @Test("One that gets no answer lets another go ahead, and its late answer counts as well")
  func silent() throws {
    let (opening, wake) = (ConnectionGate(), try #require(Wake()))
    opening.waits(0)
    #expect(opening.admits(1, orWake: wake) && !opening.admits(2, orWake: wake))
    opening.waits(2)
    #expect(!opening.admits(2, orWake: wake))
    opening.end(by: 0)
    #expect(opening.admits(2, orWake: wake))
    opening.begin()
    opening.end(by: 0)
    #expect(opening.admits(3, orWake: wake) && !opening.admits(2, orWake: wake))
  }

  @Test(
    "After each Retry-After one connection is opened, and the others, spread, once it has an answer"
  )
  func retryAfter() throws {
    let emulator = Mutex<Emulator?>(nil)
    let counts = Mutex<[Int]>([])
    let server = try TestServer(configure: { $0.maxConcurrentStreams = 10 }) { _ in
      let count = emulator.withLock { $0?.connectionCount } ?? 0
      let asks = counts.withLock { counts in
        guard count >= 4, counts.count < 4, count > counts.last ?? 0 else { return false }
        counts.append(count)
        return true
      }
      return asks ? Self.later : .delay(milliseconds: 5, then: .accept)
    }
    emulator.withLock { $0 = server.emulator }
    var run = TestRun(connections: 4, retryRules: RetryRules())
    let waits = Mutex<[Int]>([])
    run.clock = clock(of: server.emulator) { wait in waits.withLock { $0.append(wait) } }
    let delivery = try run.send(3000, to: server)
    #expect(delivery[.accepted] == 2996 && delivery[.deferred] == 4)
    #expect(counts.withLock { $0 } == [4, 5, 6, 7])
    // The first connections of the run are not spread.
    #expect(1...9 ~= waits.withLock { $0.count { 100...123 ~= $0 } })
  }

  private static let later = EmulatorAnswer.custom(
    .init(
      status: .unavailable, body: .reason(.serviceUnavailable),
      fields: [Field("retry-after", "120")]))

  /// Pauses take no time once every connection is closed.
  private func clock(
    of emulator: Emulator, note: @escaping @Sendable (Int) -> Void
  ) -> RunClock {
    let test = TestClock().clock
    var clock = test
    clock.random = { UInt64(0.1235 * Double(UInt64.max)) }
    clock.wait = { wake, milliseconds in
      note(milliseconds)
      if emulator.openConnectionCount == 0 {
        test.wait(wake, milliseconds)
      } else {
        wake.wait(milliseconds: 1)
      }
    }
    return clock
  }
}
