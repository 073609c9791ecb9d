import Foundation
import HTTP2
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

/// Times are told here, and never held to anything.
@Suite("Figures of the soak", .serialized, .enabled(if: SoakSetting.measured != nil))
struct SoakFigureTests {
  private let count = SoakSetting.measured ?? 0

  /// Every answer that has not come when the connection is reset belongs to a push that is sent
  /// again: the slower the answers, the more there are.
  @Test("Duplicates under TCP resets", arguments: [0, 20])
  func resets(milliseconds: Int) throws {
    try withTemporaryFolder { folder in
      let bench = RunBench(in: folder)
      try bench.serve { attempt in
        if attempt.push.number % 10_000 == 0 { return .processed(then: .drop(.rst)) }
        return milliseconds == 0 ? nil : .delay(milliseconds: milliseconds, then: .accept)
      }
      try bench.send(count)
      try PassCode.atLeastOnce.prove(bench)
      let rate = Int(Double(try bench.books.last.again) / Double(count) * 1e6)
      let speed = milliseconds == 0 ? "at once" : "after \(milliseconds) ms"
      SoakSetting.tell(
        "figure processed twice of a million, with a TCP reset every 10,000 requests and answers "
          + "\(speed)|\(rate)")
    }
  }

  @Test("Recovery after GOAWAY")
  func recovery() throws {
    try withTemporaryFolder { folder in
      let (bench, gaps) = (RunBench(in: folder), Gaps())
      try bench.serve { attempt in
        gaps.request(on: attempt.push.connection)
        guard attempt.push.number % 5000 == 0 else { return nil }
        gaps.goodbye()
        return .goAway(ConnectionEnd(), then: .accept)
      }
      try bench.send(count / 5)
      try PassCode.exactlyOnce.prove(bench)
      let (median, longest) = gaps.summary
      SoakSetting.tell(
        "figure from GOAWAY to the first push on the next connection|"
          + "median \(median), longest \(longest)")
    }
  }

  /// Connections (nil for the default), streams on each, and the time to an answer.
  static let windows =
    [
      (1, 10, 1), (8, 20, 20), (2, 100, 5), (4, 50, 5), (1, 500, 5), (nil, 1000, 0),
    ] as [(Int?, Int, Int)]

  @Test("Sent twice after a kill in mid-run", arguments: windows)
  func kill(_ window: (connections: Int?, streams: Int, delay: Int)) throws {
    try withFanfare { fanfare in
      let run = try ResumableRun(
        of: count / 50, in: fanfare, connections: window.connections ?? 1, streams: window.streams
      ) { _ in window.delay == 0 ? nil : .delay(milliseconds: window.delay, then: .accept) }
      let words = window.connections == nil ? ["--connections", "auto"] : []
      #expect(try run.send(words, atRequest: count / 100).exitCode == nil)
      #expect(try run.resume().exitCode == 0)
      run.expectNobodyLost()
      run.expectTwiceOnlyInDoubt()
      let connections = window.connections ?? run.server.emulator.connectionCount
      #expect(run.again <= connections * window.streams)
      SoakSetting.tell(
        "figure sent twice after kill -9 in mid-run, of \(connections) × \(window.streams) that can "
          + "have been in flight, with answers after \(window.delay) ms|\(run.again)")
    }
  }

  @Test("The time it takes to resume")
  func resumption() throws {
    try withFanfare { fanfare in
      let (bench, gaps) = (try ProgramBench(fanfare), Gaps())
      try bench.send(count, "--connections", "1", atRequest: count / 2)
      bench.answer { _ in
        gaps.request(on: 2)
        return nil
      }
      gaps.goodbye()
      let start = RunClock.system.monotonic()
      try bench.resume()
      let seconds = Double(RunClock.system.monotonic() - start) / 1e9
      try PassCode.atLeastOnce.prove(bench)
      SoakSetting.tell(
        "figure resuming a run of \(count) that was killed half way|"
          + "first push after \(gaps.summary.median), end after \(String(format: "%.1f s", seconds))"
      )
    }
  }
}

/// How long it takes from a goodbye to the first request elsewhere.
private final class Gaps: Sendable {
  private struct State {
    var connection = 1
    var since: UInt64?
    var gaps: [UInt64] = []
  }

  private let state = Mutex(State())

  func goodbye() { state.withLock { $0.since = RunClock.system.monotonic() } }

  func request(on connection: Int) {
    state.withLock { state in
      guard let since = state.since, connection != state.connection else { return }
      state.gaps.append(RunClock.system.monotonic() - since)
      state.since = nil
      state.connection = connection
    }
  }

  var summary: (median: String, longest: String) {
    let gaps = state.withLock { $0.gaps.sorted() }
    func text(_ gap: UInt64?) -> String { String(format: "%.1f ms", Double(gap ?? 0) / 1e6) }
    return (text(gaps.isEmpty ? nil : gaps[gaps.count / 2]), text(gaps.last))
  }
}
