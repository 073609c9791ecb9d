import APNS
import History
import JSONText
import PushModel
import Reporting
import Runs
import Testing

@testable import HistoryCommands

@Suite("What 'history show' tells people of the queue")
struct QueueReportTests {
  @Test("counts what a worker brought, each result in one column")
  func outcomes() {
    var every = OutcomeTally()
    for (count, outcome) in zip(1..., Outcome.allCases) { every.add(count, to: outcome) }
    var gone = OutcomeTally()
    gone.rejected = 1
    let text = text(workers: [worker("every", every), worker("gone", gone)])
    #expect(text.contains(/\n +worker +state +began +pushes +accepted +rejected +others\n/))
    #expect(text.contains(/\n +every +working +\S+ +21 +1 +2 +18\n/), "\(text)")
    #expect(text.contains(/\n +gone +working +\S+ +1 +0 +1 +0\n/), "\(text)")
  }

  @Test("names the latest twenty workers, and counts those before them", arguments: [20, 21])
  func manyWorkers(count: Int) {
    let text = text(workers: (1...count).map { worker("build-\($0).") })
    #expect(text.matches(of: /\n +build-/).count == 20)
    #expect(text.contains("build-\(count)."))
    #expect(text.contains("build-1.") == (count == 20))
    #expect(text.contains("and 1 before them; --json lists all") == (count > 20), "\(text)")
  }

  @Test("names the first ten ranges of pushes, and counts those behind them", arguments: [10, 11])
  func manyRanges(count: Int) {
    let numbers = (1...count).map { UInt64(10 * $0) }
    var resent = PushRanges()
    for number in numbers { resent.add(number) }
    for text in [text(twice: numbers), text(resent: resent)] {
      #expect(text.contains("  10\n") && text.contains("  100\n") && !text.contains("  110\n"))
      #expect(text.contains("and 1 more range; --json lists all") == (count > 10), "\(text)")
    }
  }

  @Test("counts a push once, however often it was sent")
  func thrice() {
    let report = report(twice: [2, 2, 5])
    #expect(ReportText().text(of: report.facts) == "sent twice  2\n")
    let json = Report(parts: report.parts).json
    #expect(json["sentTwice"] == 2 && json["otherResults"]?.array?.count == 3)
  }

  @Test("says how much waits, and until when")
  func left() {
    let due = presentSecond * 1000
    let rows: [(free: Int, claimed: Int, deferred: Int, text: String?)] = [
      (0, 0, 0, nil), (1200, 0, 0, "1,200: 1,200 free"), (0, 7, 0, "7: 7 claimed"),
      (1, 2, 3, "6: 1 free, 2 claimed, 3 deferred, the first until \(moment(due).plain)"),
    ]
    for row in rows {
      let standing = QueueState(
        now: due, free: row.free, claimed: row.claimed, deferred: row.deferred,
        nextDue: row.deferred > 0 ? due : nil, underway: 0, inDoubt: 0, workers: [])
      let text = ReportText().text(of: report(standing).facts)
      #expect(text == (row.text.map { "left in queue  \($0)\n" } ?? ""))
    }
  }

  private func worker(_ name: String, _ tally: OutcomeTally = OutcomeTally()) -> WorkerEntry {
    WorkerEntry(
      number: 1, run: run().entry.run, name: name, version: "1.0", state: .working,
      started: presentSecond * 1000, ended: nil, heard: presentSecond * 1000, tally: tally)
  }

  private func report(
    _ standing: QueueState? = nil, workers: [WorkerEntry] = [], twice: [UInt64] = [],
    resent: PushRanges = PushRanges()
  ) -> QueueReport {
    let none = QueueState(
      now: presentSecond * 1000, free: 0, claimed: 0, deferred: 0, nextDue: nil, underway: 0,
      inDoubt: 0, workers: workers)
    let others = twice.map {
      OtherResult(
        sequence: $0, worker: nil, outcome: .accepted, status: .accepted, reason: nil, attempts: 1,
        at: presentSecond * 1000)
    }
    return QueueReport(
      run: run().entry, standing: standing ?? none, others: others, resent: resent)
  }

  private func text(
    workers: [WorkerEntry] = [], twice: [UInt64] = [], resent: PushRanges = PushRanges()
  ) -> String {
    ReportText().text(of: report(workers: workers, twice: twice, resent: resent).tables)
  }
}
