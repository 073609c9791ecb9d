import Foundation
import History
import PushModel
import Reporting
import Runs
import TestSupport
import Testing

@testable import HistoryCommands

@Suite("The events that 'history tail' writes")
struct EventWriterTests {
  /// In milliseconds since 1970, as many minutes after each other.
  private static let times = (0...4).map { (presentSecond - 3600 + 60 * $0) * 1000 }

  private static func entry(
    _ state: RunState, ended: Int64? = nil, resumptions: Int = 0, stop: QueueStop? = nil
  ) -> RunEntry {
    let sample = run().entry
    var record = sample.record
    record.started = times[0]
    var tally = OutcomeTally()
    tally.accepted = 2
    return RunEntry(
      run: sample.run, record: record, state: state, ended: ended, tally: tally,
      recipients: RecipientCounts(lines: 2), claimed: 2, last: 2, resumptions: resumptions,
      stop: stop)
  }

  private static func worker(_ state: WorkerEntry.State, ended: Int64? = nil) -> WorkerEntry {
    var tally = OutcomeTally()
    tally.rejected = 3
    return WorkerEntry(
      number: 1, run: run().entry.run, name: "ci", version: "1.0", state: state, started: times[1],
      ended: ended, heard: times[2], tally: tally)
  }

  static let events: [(event: HistoryEvent, at: Int64, text: String)] = [
    (.began(entry(.running)), times[0], "began: sandbox, alert com.example.shop"),
    (
      .began(entry(.running, resumptions: 1)), presentSecond * 1000,
      "resumed: sandbox, alert com.example.shop"
    ),
    (.ended(entry(.finished, ended: times[3])), times[3], "ended: 2 accepted"),
    (.ended(entry(.interrupted, ended: times[3])), times[3], "was interrupted: 2 accepted"),
    (
      .ended(entry(.enqueued, stop: QueueStop(at: times[4], cause: "by hand"))), times[4],
      "was stopped (by hand): 2 accepted"
    ),
    (
      .ended(entry(.enqueued, stop: QueueStop(at: times[4], cause: nil))), times[4],
      "was stopped: 2 accepted"
    ),
    (.worker(worker(.working)), times[1], "worker ci began"),
    (.worker(worker(.ended, ended: times[3])), times[3], "worker ci ended: 3 rejected"),
    (.worker(worker(.lost, ended: times[3])), times[3], "worker ci was lost: 3 rejected"),
    // Nobody has noted yet that it is gone.
    (.worker(worker(.lost)), times[2], "worker ci was lost: 3 rejected"),
  ]

  @Test("say when each came, and what it is", arguments: events)
  func text(_ row: (event: HistoryEvent, at: Int64, text: String)) throws {
    #expect(try written(row.event) == "\(moment(row.at).plain)  run 1 \(row.text)\n")
  }

  private func written(_ event: HistoryEvent) throws -> String {
    try withTemporaryFolder { folder in
      let path = folder.file("events")
      let output = Output(
        descriptor: open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600), closesDescriptor: true)
      EventWriter(asJSON: false, showsTokens: false, context(output: output)).write(event)
      output.flush()
      return try folder.text("events")
    }
  }
}
