import APNS
import Foundation
import HTTP2
import PushModel
import Reporting
import SendingSupport
import TestSupport
import Testing

@testable import Delivery
@testable import Runs

@Suite("The progress line")
struct ProgressTextTests {
  private func text(
    _ total: PushTotal?, columns: Int = 120, seconds: Double = 2, inFlight: Int = 1000,
    pause: Int? = nil, connections: Int = 1, awaited: Awaited? = nil, secondsToNextTry: Int = 0
  ) -> String {
    let rows = Array(repeating: (Outcome.accepted, Response?.some(.good)), count: 8)
    var summary = report(results(rows + [(.rejected, .dead), (.deferred, nil)])).summary
    summary.expected = total
    summary.seconds = seconds
    summary.connections = ConnectionFigures(most: connections, limit: .noGain)
    var standing = RunStanding()
    (standing.inFlight, standing.pause) = (inFlight, pause)
    (standing.awaited, standing.secondsToNextTry) = (awaited, secondsToNextTry)
    return summary.progressText(standing, columns)
  }

  static let totals: [(PushTotal?, String)] = [
    (nil, "10 done  5/s  8 accepted  1 rejected  1 deferred  1,000 in flight"),
    (
      PushTotal(count: 40, isExact: true),
      "10/40  5/s  8 accepted  1 rejected  1 deferred  1,000 in flight  ETA 0:06"
    ),
    (
      PushTotal(count: 123_456, isExact: false),
      "10/~123,000  5/s  8 accepted  1 rejected  1 deferred  1,000 in flight  ETA 6:51:30"
    ),
    (
      PushTotal(count: 3, isExact: false),
      "10/~10  5/s  8 accepted  1 rejected  1 deferred  1,000 in flight  ETA 0:00"
    ),
    // Nobody waits for that.
    (
      PushTotal(count: 123_456_789, isExact: true),
      "10/123,456,789  5/s  8 accepted  1 rejected  1 deferred  1,000 in flight"
    ),
  ]

  @Test("tells how far the run is, and how long it will take", arguments: totals)
  func total(_ row: (PushTotal?, String)) {
    // Nine of ten were sent: the deferred one had no request in these samples.
    #expect(text(row.0) == row.1)
  }

  @Test("tells the time left once the run has lasted a second")
  func start() {
    let total = PushTotal(count: 40, isExact: true)
    let line = "8 accepted  1 rejected  1 deferred  1,000 in flight"
    #expect(text(total, seconds: 0.9) == "10/40  10/s  \(line)")
    #expect(text(total, seconds: 1) == "10/40  9/s  \(line)  ETA 0:03")
  }

  @Test("tells of a pause in place of the time left")
  func pause() {
    let line = text(PushTotal(count: 40, isExact: true), columns: 70, pause: 62)
    #expect(line == "10/40  5/s  8 accepted  1 rejected  paused 1:02 (Retry-After)")
  }

  static let waits: [(awaited: Awaited, seconds: Int, says: String)] = [
    (
      Awaited(.refusal(.init(status: .tooMany, reason: .tooManyRequests)), count: 1000, due: 9), 40,
      "1,000 waiting: 429 TooManyRequests, next try in 40 s"
    ),
    (
      Awaited(.refusal(.init(status: .unavailable)), count: 3, due: 9), 100,
      "3 waiting: 503 Service Unavailable, next try in 1:40"
    ), (Awaited(.connection, due: 9), 9, "not connected, next try in 9 s"),
  ]

  @Test("tells what is waited for, and until when", arguments: waits)
  func waiting(_ row: (awaited: Awaited, seconds: Int, says: String)) {
    let line = text(
      PushTotal(count: 3000, isExact: true), inFlight: 0, awaited: row.awaited,
      secondsToNextTry: row.seconds)
    let status = row.says.replacing(" Service Unavailable", with: "")
    #expect(line == "10/3,000  5/s  8 accepted  1 rejected  1 deferred  0 in flight  \(status)")
  }

  @Test("counts what several connections wait for, and names what comes first")
  func severalConnections() {
    let busy = Awaited.Cause.refusal(.init(status: .tooMany, reason: .tooManyRequests))
    let waits = [
      Awaited(busy, count: 2, due: 50), Awaited(busy, count: 3, due: 40),
      Awaited(.connection, due: 60), Awaited(busy, count: 9, due: 10),
    ]
    #expect(waits.next(now: 10) == Awaited(busy, count: 5, due: 40))
    #expect(waits.next(now: 50) == Awaited(.connection, due: 60))
    #expect(waits.next(now: 60) == nil)
  }

  @Test("is a line after ten seconds where there is no terminal, and then one each minute")
  func script() throws {
    try withTemporaryFolder { folder in
      let path = try folder.write("errors", "")
      var clock = RunClock.system
      // It stands still unless it is moved.
      let start = RunClock.system.monotonic()
      let moved = Moved()
      clock.monotonic = { start + moved.seconds * 1_000_000_000 }
      let errors = Output(descriptor: open(path, O_WRONLY | O_APPEND), closesDescriptor: true)
      let teller = Teller(data: errors, errors: errors, showsUTF8: false)
      var line = ProgressLine(teller, clock: clock, isWanted: true)
      var silent = ProgressLine(teller, clock: clock, isWanted: true, isLogged: false)
      for second in 0...130 {
        moved.seconds = UInt64(second)
        line.update { _ in "\(second)" }
        silent.update { _ in "never" }
      }
      #expect(try folder.lines("errors") == ["10", "70", "130"])
    }
  }

  @Test("counts connections if there are several, and if there is room")
  func connections() {
    let total = PushTotal(count: 40, isExact: true)
    let line = "10/40  5/s  8 accepted  1 rejected  1 deferred  1,000 in flight"
    #expect(text(total, connections: 16) == line + "  16 connections  ETA 0:06")
    #expect(text(total, columns: 89, connections: 16) == line + "  16 connections  ETA 0:06")
    #expect(text(total, columns: 88, connections: 16) == line + "  ETA 0:06")
  }

  static let widths: [(Int, String)] = [
    (60, "10/40  5/s  8 accepted  1 rejected  1 deferred  ETA 0:06"),
    (40, "10/40  5/s  8 accepted  ETA 0:06"), (20, "10/40  5/s  ETA 0:06"), (8, "10/40  E"),
  ]

  @Test("is never wider than the terminal", arguments: widths)
  func width(_ row: (Int, String)) {
    let line = text(PushTotal(count: 40, isExact: true), columns: row.0)
    #expect(line == row.1 && line.count <= row.0)
  }
}

private final class Moved: @unchecked Sendable {
  // Only the test's own thread uses it.
  var seconds: UInt64 = 0
}
