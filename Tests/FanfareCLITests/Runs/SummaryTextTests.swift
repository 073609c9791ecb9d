import APNS
import Delivery
import PushModel
import Reporting
import Testing

@testable import Runs

@Suite("The summary for people")
struct SummaryTextTests {
  private func summary(
    _ report: Run.Report, run: Int64? = 12, due: Int64? = nil, isVerbose: Bool = false
  ) -> SummaryReport {
    let facts = RequestFacts(
      service: .other, pushType: .alert, topic: "a.b", tokenDigits: 64, providerTokenAge: 0)
    return SummaryReport(
      report: report, environment: "sandbox", run: run, facts: facts, results: "r.jsonl",
      dead: DeadTokenFigures(path: "dead.txt", count: 1, lost: 0),
      resumeHint: ResumeHint(run: run, due: due), isVerbose: isVerbose)
  }

  private func lines(
    _ report: Run.Report, run: Int64? = 12, due: Int64? = nil, isVerbose: Bool = false
  ) -> [String] {
    let parts = summary(report, run: run, due: due, isVerbose: isVerbose).parts
    return ReportText().text(of: parts).split(separator: "\n").map(String.init)
  }

  @Test("says when deferred pushes are due, and how to go on with what is left")
  func left() {
    let report = report(results([(.accepted, .good), (.deferred, .dead), (.unknown, nil)]))
    let lines = lines(report, due: 1_700_000_900_000)
    #expect(lines.contains("deferred        1, due from 2023-11-14T22:28:20Z"))
    #expect(lines.contains("go on with      fanfare resume 12"))
    #expect(lines.contains("results         r.jsonl"))
    #expect(lines.contains("dead tokens     1 in dead.txt"))
    #expect(lines.contains("run             12"))
  }

  @Test("names no command when the run cannot be resumed")
  func noHistory() {
    let lines = lines(report(results([(.deferred, nil)])), run: nil)
    #expect(lines.contains { $0.hasPrefix("deferred") && !$0.contains("due") })
    #expect(!lines.contains { $0.contains("fanfare resume") || $0.hasPrefix("run ") })
  }

  @Test("counts reasons, and says what to do about the most frequent")
  func reasons() {
    let bad = Response(status: .badRequest, reason: .badDeviceToken)
    let rows: [(Outcome, Response?)] = [(.rejected, bad), (.rejected, .dead), (.rejected, bad)]
    let lines = lines(report(results(rows)))
    let index = lines.firstIndex { $0.hasPrefix("  BadDeviceToken") } ?? 0
    #expect(lines[index].hasSuffix(" 2") && lines[index + 1].hasPrefix("  Unregistered"))
    #expect(lines.contains { $0.hasPrefix("BadDeviceToken: ") } && (lines.last ?? "").count > 10)
    #expect(lines.contains { $0.hasPrefix("accepted ") && $0.hasSuffix(" 0") })
    #expect(!lines.contains { $0.hasPrefix("unknown") })
  }

  @Test("says of a later pass which figures are of that pass alone")
  func laterPass() {
    var figures = RunFigures(environment: "sandbox", pass: 2)
    (figures.outcomes.accepted, figures.sent, figures.nanoseconds) = (9, 2, 1_000_000_000)
    figures.latency = LatencyShares(p50: 1000, p95: 2500, p99: 20_000)
    for (pass, end) in [(1, ""), (2, " in this pass")] {
      figures.pass = pass
      let told = ToldFigures(figures, of: 12, [ReasonCount("BadDeviceToken", 1)])
      let lines = ReportText().text(of: told.parts).split(separator: "\n")
      #expect(lines.contains { $0.hasSuffix(" 2 pushes/s over 1.00 s" + end) }, "\(lines)")
      #expect(lines.contains { $0.hasSuffix(" p50 1.0 ms, p95 2.5 ms, p99 20 ms" + end) })
      #expect(lines.contains { $0.hasPrefix("accepted ") && $0.hasSuffix(" 9") })
    }
  }

  @Test("tells expired rows from those that break a rule")
  func expired() {
    let rows: [(Outcome, Response?)] = [(.skipped, nil), (.skipped, nil)]
    let lines = lines(report(results(rows, problems: [1: BrokenRules([])])))
    #expect(lines.contains { $0.hasPrefix("skipped ") && $0.hasSuffix(" 2") })
    #expect(
      lines.contains { $0.hasPrefix("  expired before they were sent") && $0.hasSuffix(" 1") })
  }

  @Test("calls the number of pushes that were sent again in doubt the most that may arrive twice")
  func twice() throws {
    let one = try #require(results([(.accepted, .good)]).first)
    let again = PushResult(
      push: one.push, outcome: .accepted, response: .good, attempts: 2, wasResentInDoubt: true,
      latencyMicroseconds: nil, answeredAt: nil)
    let lines = lines(report([one, again]))
    #expect(lines.contains { $0.hasPrefix("sent twice?") && $0.hasSuffix(" at most 1") })
  }

  @Test("says how long the run paused because the server asked for it")
  func pause() {
    var report = report(results([(.accepted, .good), (.deferred, nil)]))
    #expect(!lines(report).contains { $0.hasPrefix("paused") })
    report.summary.pausedSeconds = 62.5
    #expect(
      lines(report).contains {
        $0.hasPrefix("paused ") && $0.hasSuffix(" 62.50 s, for Retry-After")
      })
  }

  static let figures: [(figures: ConnectionFigures, line: String, isQuiet: Bool)] = [
    (.init(most: 4, limit: .given), "4", true), (.init(most: 1, limit: .given), "1", true),
    (.init(most: 1, limit: .enough), "1, enough for what was to be sent", true),
    (.init(most: 2, limit: .enough), "2, enough for what was to be sent", false),
    (.init(most: 1, limit: .ended), "1, as the run ended before the best number was found", true),
    (.init(most: 4, limit: .ended), "4, as the run ended before the best number was found", false),
    (.init(most: 8, limit: .noGain), "8, the last of which gained little", false),
    (.init(most: 1, limit: .server), "1, as the server refused or slowed down", false),
    (.init(most: 16, limit: .most), "16, the most that are opened automatically", false),
    (.init(most: 3, limit: .system), "3, as no descriptors or threads were left", false),
  ]

  @Test(
    "says how many connections there were and why no more, if it is news", arguments: figures)
  func connections(_ row: (figures: ConnectionFigures, line: String, isQuiet: Bool)) {
    var report = report(results([(.accepted, .good), (.accepted, .good)]))
    report.summary.connections = row.figures
    let shown = [false, true].map { isVerbose in
      lines(report, isVerbose: isVerbose).first { $0.hasPrefix("connections ") }
    }
    #expect(shown == [row.isQuiet ? nil : "connections  \(row.line)", "connections  \(row.line)"])
  }

  @Test("says nothing of connections where there were none, and of one push")
  func noConnections() {
    var report = report(results([(.accepted, .good)]))
    #expect(!lines(report, isVerbose: true).contains { $0.hasPrefix("connections ") })
    report.summary.connections = ConnectionFigures(most: 1, limit: .server)
    let summary = summary(report, isVerbose: true)
    #expect(!summary.text(Style(hasColor: false)).contains("connections"))
  }

  private static let busy = Response(status: .init(rawValue: 503), reason: .serviceUnavailable)

  static let complaints: [(Run.Report, String?)] = [
    (FanfareCLITests.report(results([(.accepted, .good)])), nil),
    (
      FanfareCLITests.report(results([(.rejected, .dead)])),
      "fanfare: error: …3d4e5f10: rejected: 410 Unregistered"
    ),
    (
      FanfareCLITests.report(results([(.deferred, busy)])),
      "fanfare: error: …3d4e5f10: deferred: 503 ServiceUnavailable; go on with 'fanfare resume 12'"
    ),
    (
      FanfareCLITests.report(results([(.skipped, nil)])),
      "fanfare: error: …3d4e5f10: skipped: it expired before it could be sent"
    ),
    (
      FanfareCLITests.report(results([(.notAttempted, nil)])),
      "fanfare: error: …3d4e5f10: not attempted"
    ),
    (
      FanfareCLITests.report(results([(.accepted, .good), (.rejected, .dead)]), badLines: 2),
      "fanfare: error: 1 rejected, 2 bad lines (1 Unregistered); 1 accepted"
    ),
    // What ended the run is told anyway.
    (FanfareCLITests.report(results([(.notAttempted, nil)]), stopCause: .goodbye(.shutdown)), nil),
    (
      FanfareCLITests.report(results([(.deferred, nil)]), stopCause: .goodbye(.shutdown)),
      "fanfare: go on with 'fanfare resume 12'"
    ),
    (
      FanfareCLITests.report(
        results([(.rejected, .wrongKey), (.notAttempted, nil)]), stopCause: .breaker(.wrongKey)),
      "fanfare: error: 1 rejected, 1 not attempted (1 InvalidProviderToken); 0 accepted"
    ),
  ]

  @Test("keeps one line with --quiet, about what was not accepted", arguments: complaints)
  func complaint(_ row: (Run.Report, String?)) {
    let summary = SummaryReport(
      report: row.0, environment: "sandbox", run: 12,
      facts: RequestFacts(
        service: .other, pushType: .alert, topic: "a.b", tokenDigits: 64, providerTokenAge: 0),
      resumeHint: ResumeHint(run: row.0.summary[.deferred] > 0 ? 12 : nil, due: nil))
    let text = summary.complaint.map { ReportText().text(of: [$0]) }
    #expect(text == row.1.map { $0 + "\n" })
  }

  @Test("names the history that was named, where the shell would split it or not")
  func history() {
    #expect(
      ResumeHint(run: 7, history: "h.sqlite", due: nil).command
        == "fanfare resume 7 --history h.sqlite")
    #expect(
      ResumeHint(run: 7, history: "a b", due: nil).command == "fanfare resume 7 --history 'a b'")
  }

  @Test("says that what was not written down cannot be gone on with")
  func unwritten() {
    let lines = lines(report(results([(.deferred, nil)])), run: nil)
    #expect(lines.contains { $0.hasPrefix("go on with") && $0.hasSuffix("cannot be resumed") })
  }

  static let waiting: [(ResumeHint, String)] = [
    (
      ResumeHint(run: 12, due: 1_700_000_900_000),
      "Try again with 'fanfare resume 12' from 2023-11-14T22:28:20Z."
    ),
    (
      ResumeHint(run: nil, due: nil),
      "Try again in 15 minutes, and wait twice as long each time after that."
    ),
  ]

  @Test("of one deferred push says when to try again", arguments: waiting)
  func onePush(_ row: (ResumeHint, String)) {
    let busy = Response(status: Status(rawValue: 429), reason: .tooManyRequests)
    let summary = SummaryReport(
      report: report(results([(.deferred, busy)])), environment: "sandbox", run: nil,
      facts: RequestFacts(
        service: .other, pushType: .alert, topic: "a.b", tokenDigits: 64, providerTokenAge: 0),
      resumeHint: row.0)
    #expect(summary.text(Style(hasColor: false)).contains("\n  \(row.1)\n"))
  }
}
