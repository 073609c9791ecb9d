import APNS
import Delivery
import PushModel
import Testing

@testable import Runs

@Suite("The progress line")
struct ProgressTextTests {
  private func text(
    _ total: PushTotal?, columns: Int = 120, seconds: Double = 2, inFlight: Int = 1000,
    pause: Int? = nil, connections: Int = 1
  ) -> String {
    let rows = Array(repeating: (Outcome.accepted, Response?.some(.good)), count: 8)
    var summary = report(results(rows + [(.rejected, .dead), (.deferred, nil)])).summary
    summary.expected = total
    summary.seconds = seconds
    summary.connections = ConnectionFigures(most: connections, limit: .noGain)
    return summary.progressText(inFlight: inFlight, pause: pause, columns)
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
