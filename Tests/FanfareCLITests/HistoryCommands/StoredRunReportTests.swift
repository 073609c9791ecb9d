import APNS
import History
import JSONText
import PushModel
import Reporting
import Testing

@testable import HistoryCommands
@testable import Runs

@Suite("What 'history show' tells of a run")
struct StoredRunReportTests {
  @Test("names ten skipped rows, and counts those that it does not name", arguments: [10, 12])
  func skipped(count: Int) {
    var tally = OutcomeTally()
    tally.skipped = count
    let rows = (1...StoredRunReport.mostSkipped).map {
      DescribedPush(entry: entry(.skipped, nil, sequence: UInt64($0), attempts: 0))
    }
    let text = ReportText().text(of: report(run(tally: tally), skipped: rows))
    #expect(text.matches(of: /\n +beta.csv:2/).count == 10)
    let more = "and 2 more: 'fanfare history list 1 --outcome skipped --limit 0'"
    #expect(text.contains(more) == (count > 10), "\(text)")
    #expect(text.contains(" more: ") == (count > 10))
  }

  @Test("does not blame the environment for a token that both have refused")
  func environments() throws {
    let answer = Response(status: .badRequest, reason: .badDeviceToken)
    let push = DescribedPush(entry: entry(.rejected, answer))
    let answers = ["sandbox", "production"].map {
      EnvironmentAnswer(environment: $0, status: 400, reason: "BadDeviceToken")
    }
    let causes = try [answers.prefix(1), answers[...]].map { asked in
      let json = report(rejectedRun, asked: Array(asked), only: push).json
      return try #require(json["summary"]?["cause"]?["message"]?.string, "\(json)")
    }
    #expect(causes[0].contains("sandbox") || causes[0].contains("environment"), "\(causes)")
    #expect(causes[0] != causes[1])
  }

  /// A run whose only push was refused.
  private var rejectedRun: StoredRun {
    let sample = run().entry
    var figures = RunFigures(environment: "sandbox", pass: 1)
    figures.outcomes.rejected = 1
    return StoredRun(
      RunEntry(
        run: sample.run, record: sample.record, state: .finished, ended: presentSecond * 1000,
        tally: figures.outcomes, recipients: RecipientCounts(lines: 1), claimed: 1, last: 1,
        figures: figures, resumptions: 0))
  }

  private func report(
    _ stored: StoredRun, asked: [EnvironmentAnswer] = [], only: DescribedPush? = nil,
    skipped: [DescribedPush] = []
  ) -> Report {
    StoredRunReport(
      stored: stored, asked: asked, only: only, skipped: skipped,
      resentBy: Resends(of: stored.entry, among: []), next: nil
    ).report
  }
}
