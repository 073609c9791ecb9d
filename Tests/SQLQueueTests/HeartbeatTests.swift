import Dispatch
import PushModel
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLQueue

@Suite("A worker's heartbeat", .needsPostgreSQL)
struct HeartbeatTests {
  private let trial: QueueTrial
  private let beats = Beats()

  init() throws { trial = try QueueTrial([1]) }

  private func start(_ session: WorkerSession) throws -> Heartbeat {
    let work = Heartbeat.Duties(
      answers: { [7] }, take: { [beats] in beats.take($0) }, wait: { [beats] in beats.wait($0) },
      wake: {})
    return try #require(Heartbeat.start(session, work))
  }

  @Test("hands on each beat, twice a second, until it is stopped")
  func beating() throws {
    let heartbeat = try start(trial.begin())
    try beats.expect(3)
    heartbeat.stop()
    let found = beats.all
    #expect(found.allSatisfy { $0 == Beat(liveWorkers: 1, answers: [[7]], isLastToJoin: true) })
    #expect(beats.pauses == [500])
    #expect(beats.all == found)
  }

  @Test("goes on over a new connection")
  func reconnects() throws {
    let heartbeat = try start(trial.begin())
    try beats.expect(1)
    try trial.database.endConnections()
    let count = try beats.expectRetry()
    while beats.all.count == count { try beats.expect(1) }
    heartbeat.stop()
    #expect(beats.pauses == [500, 1000])
  }

  @Test("ends when the session is lost")
  func lost() throws {
    let session = try trial.begin()
    try trial.lapse(session)
    let heartbeat = try start(session)
    try beats.expect(1)
    heartbeat.stop()
    #expect(beats.all == [Beat(liveWorkers: 0, isLost: true)] && beats.pauses.isEmpty)
  }
}

/// What a heartbeat does.
private final class Beats: Sendable {
  private struct State {
    var beats: [Beat] = []
    var pauses: Set<Int> = []
  }

  private let state = Mutex(State())
  private let count = DispatchSemaphore(value: 0)
  private let retries = DispatchSemaphore(value: 0)

  var all: [Beat] { state.withLock { $0.beats } }
  var pauses: Set<Int> { state.withLock { $0.pauses } }

  func take(_ beat: Beat) {
    state.withLock { $0.beats.append(beat) }
    count.signal()
  }

  func wait(_ milliseconds: Int) {
    state.withLock { _ = $0.pauses.insert(milliseconds) }
    if milliseconds > 500 { retries.signal() }
  }

  /// Waits until a beat has failed.
  ///
  /// - Returns: how many there are by then, or a little later.
  func expectRetry() throws -> Int {
    try #require(retries.wait(timeout: .now() + 60) == .success, "no beat failed")
    return all.count
  }

  /// Waits for so many more beats.
  func expect(_ wanted: Int) throws {
    for _ in 0..<wanted {
      try #require(count.wait(timeout: .now() + 60) == .success, "no beat came")
    }
  }
}
