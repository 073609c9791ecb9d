import History
import JSONText
import PushModel
import Reporting
import Runs
import Testing

@testable import HistoryCommands

@Suite("The row of a run in 'history list'")
struct RunRowTests {
  static let counts: [(state: RunState, pushes: String)] = [
    (.enqueuing, "202"), (.enqueued, "202"), (.running, "2"), (.interrupted, "2"),
    (.finished, "2"),
  ]

  @Test("counts also what no worker has sent yet", arguments: counts)
  func pushes(_ row: (state: RunState, pushes: String)) {
    let run = ListedRun(
      entry: entry(1, row.state, lines: 202), resends: Resends(of: entry(1), among: []))
    let text = ReportText().text(of: [.table(nil, [run.row(nil, showsToken: false)])])
    let cells = text.split(separator: "\n").last?.split(separator: " ").map(String.init) ?? []
    // Before the results: the pushes, and how many were accepted.
    #expect(cells.contains { $0 == row.pushes } && cells.contains("2"), "\(text)")
    #expect(cells.contains("202") == (row.pushes == "202"))
  }

  @Test("names the environment of a resend only where it is another")
  func resends() {
    let resends = [entry(3, in: "production", of: 1), entry(2, of: 1), entry(4, of: 2)]
    let words = Resends(of: entry(1), among: resends).words
    #expect(words == "run 2 (2 accepted), run 3 (2 accepted, production)")
    #expect(Resends(of: entry(4), among: resends).words == nil)
  }

  private func entry(
    _ number: Int64, _ state: RunState = .finished, in environment: String = "sandbox",
    of resent: Int64? = nil, lines: Int = 0
  ) -> RunEntry {
    let sample = run(number, environment: environment).entry
    var record = sample.record
    record.resends = resent.flatMap { RunNumber(rawValue: $0) }
    var tally = OutcomeTally()
    tally.accepted = 2
    return RunEntry(
      run: sample.run, record: record, state: state, ended: nil, tally: tally,
      recipients: RecipientCounts(lines: lines), claimed: 2, last: 2, resumptions: 0)
  }
}
