import APNS
import History
import JSONText
import PushModel
import Reporting
import Testing

@testable import Delivery
@testable import HistoryCommands
@testable import Runs

@Suite("What is said of a run that was stopped")
struct StoppedRunTests {
  private static let unread = UnreadRecipients(
    after: .init(list: "list.txt", line: 9600), count: 30_400)

  static let sentences: [(UnreadRecipients, String)] = [
    (unread, "about 30,400 recipients after line 9,600 of list.txt"),
    (
      UnreadRecipients(after: .init(list: "-", line: 700)),
      "an unknown number of recipients after line 700 of standard input"
    ),
    (UnreadRecipients(count: 1), "about 1 recipient"),
    (
      UnreadRecipients(after: .init(list: "a\u{1b}b", line: 1), count: 2),
      "about 2 recipients after line 1 of a\\u{1b}b"
    ),
  ]

  @Test("names the place in the list, and about how many recipients follow", arguments: sentences)
  func sentence(_ row: (UnreadRecipients, String)) {
    #expect(row.0.words == row.1)
  }

  @Test("'history show' says what the summary said")
  func agreement() throws {
    let summary = summary(unread: Self.unread)
    let told = try #require(line("not read", in: ReportText().text(of: summary.parts)))
    #expect(told.hasSuffix(Self.unread.words))
    let stored = stored(summary)
    #expect(stored.entry.unread == Self.unread)
    #expect(line("not read", in: text(of: stored))?.hasSuffix(Self.unread.words) == true)
  }

  @Test("neither says so of a run whose lists were read to their end")
  func whole() {
    let summary = summary(unread: nil)
    #expect(line("not read", in: ReportText().text(of: summary.parts)) == nil)
    #expect(line("not read", in: text(of: stored(summary, last: 3))) == nil)
  }

  @Test("of a run that was killed further on it is said that nobody knows")
  func killedLater() {
    for stored in [stored(summary(unread: Self.unread), lines: 9601), stored(nil)] {
      #expect(stored.entry.unread == UnreadRecipients())
      let told = line("not read", in: text(of: stored))
      #expect(told?.hasSuffix(" an unknown number of recipients") == true)
    }
    #expect(stored(nil, last: 3).entry.unread == nil)
  }

  @Test("figures of one pass are labelled once a run was resumed")
  func labels() {
    let first = ReportText().text(of: summary(unread: nil).parts)
    #expect(!first.contains("pass"))
    let second = summary(unread: nil, pass: 2)
    let text = ReportText().text(of: second.parts)
    for name in ["reasons", "speed", "latency", "  expired before they were sent"] {
      #expect(line(name, in: text)?.hasSuffix(" in this pass") == true, "\(name)")
    }
    let shown = self.text(of: stored(second, last: 3, resumptions: 1), second.reasons)
    for name in ["speed", "latency"] {
      #expect(line(name, in: shown)?.hasSuffix(" in pass 2") == true, "\(name)")
    }
    #expect(line("reasons", in: shown) == "reasons")
    let once = self.text(of: stored(summary(unread: nil), last: 3))
    #expect(line("speed", in: once)?.hasSuffix(" pushes/s") == true)
    #expect(line("reasons", in: once) == nil)
  }

  @Test("pushes that were read and never claimed were not attempted")
  func neverClaimed() {
    var tally = OutcomeTally()
    (tally.rejected, tally.notAttempted) = (3, 253)
    let stored = stored(nil, lines: 20_000, last: 20_000, tally: tally)
    #expect(stored.entry.completeTally.notAttempted == 19_997)
    #expect(line("not attempted", in: text(of: stored))?.hasSuffix(" 19,997") == true)
  }

  private func summary(unread: UnreadRecipients?, pass: Int = 1) -> SummaryReport {
    let rows: [(Outcome, Response?)] = [(.accepted, .good), (.rejected, .dead), (.skipped, nil)]
    var report = report(results(rows))
    report.unread = unread
    return SummaryReport(
      report: report, environment: "sandbox", run: 1, pass: pass, facts: .init(service: .sandbox),
      resumeHint: ResumeHint(run: 1, due: nil))
  }

  private func stored(
    _ summary: SummaryReport?, lines: Int = 3, last: Int? = nil, resumptions: Int = 0,
    tally: OutcomeTally = OutcomeTally()
  ) -> StoredRun {
    let sample = run().entry
    return StoredRun(
      RunEntry(
        run: sample.run, record: sample.record, state: last == nil ? .interrupted : .finished,
        ended: presentSecond * 1000, tally: tally, recipients: RecipientCounts(lines: lines),
        claimed: tally.total, last: last,
        figures: summary?.figures, resumptions: resumptions))
  }

  private func text(of stored: StoredRun, _ reasons: [ReasonCount] = []) -> String {
    let report = StoredRunReport(
      stored: stored, allReasons: reasons, skipped: [],
      resentBy: Resends(of: stored.entry, among: []), next: nil
    ).report
    return ReportText().text(of: report)
  }

  private func line(_ name: String, in text: String) -> Substring? {
    text.split(separator: "\n").first { $0.hasPrefix(name) }
  }
}
