import APNS
import HTTP2
import PushEmulator
import Synchronization
import Testing

/// An emulator that is told what to do with each push, its journal, and a clock that a test sets.
final class FaultyServer {
  let emulator: Emulator
  let sample: RequestSample
  let clock = TestClock()
  private let recorded = Recorder()
  private let written: Wake

  /// - Parameters:
  ///   - answers: what becomes of pushes by their number, from 1; others are accepted.
  ///   - change: further settings.
  init(
    _ answers: [Int: EmulatorAnswer] = [:],
    _ change: (inout EmulatorConfiguration) -> Void = { _ in }
  ) throws {
    written = try #require(Wake())
    sample = RequestSample().with("authorization", try TestKey().bearer())
    var configuration = EmulatorConfiguration()
    configuration.now = { 1_000_010 }
    configuration.uptime = { [clock] in clock.milliseconds }
    configuration.initialStreamLimit = 100
    configuration.journal = .entries { [recorded, written] in
      recorded.append($0)
      written.call()
    }
    configuration.answer = { answers[$0.number] }
    change(&configuration)
    emulator = try Emulator(configuration)
  }

  /// The journal so far.
  var entries: [ReceivedPush] { recorded.entries }

  /// Waits, for ten seconds at most, until something is written in the journal.
  func awaitEntry() { written.wait(milliseconds: 10_000) }

  func client() throws -> TestClient { try TestClient(emulator) }

  /// What a new client gets for a push.
  func answer() throws -> TestAnswer { try client().send(sample) }
}

/// A clock that stands still until it is set.
final class TestClock: Sendable {
  private let time = Mutex<Int64>(0)

  var milliseconds: Int64 { time.withLock(\.self) }

  func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
