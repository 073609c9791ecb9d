import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("The figures of a run", .overAllHistories)
struct RunFiguresTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  private static var figures: RunFigures {
    var figures = RunFigures(environment: "sandbox", pass: 1)
    (figures.outcomes.accepted, figures.outcomes.unknown, figures.outcomes.notAttempted) = (3, 2, 1)
    figures.recipients = RecipientCounts(
      lines: 20, badLines: 5, duplicates: 4, suppressed: 3, otherShards: 2)
    figures.unread = UnreadRecipients(after: .init(list: "all.txt", line: 20), count: 900)
    (figures.sent, figures.resentInDoubt, figures.nanoseconds) = (5, 1, 5_000_000_000_001)
    figures.latency = LatencyShares(p50: 400, p95: 9000, p99: 120_000)
    figures.connections = ConnectionFigures(most: 4, limit: .noGain)
    return figures
  }

  private static let reasons = [
    ReasonCount("Unregistered", 7), ReasonCount("BadTopic", 2), ReasonCount("status 500", 2),
  ]

  private static let asked = [
    EnvironmentAnswer(environment: "sandbox", status: 400, reason: "BadDeviceToken"),
    EnvironmentAnswer(environment: "production", status: nil, reason: nil),
  ]

  /// A run that has ended so.
  private func run(
    _ figures: RunFigures?, _ reasons: [ReasonCount] = [], _ asked: [EnvironmentAnswer] = []
  ) throws -> RunNumber {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.finish(
      RunEnding(
        .interrupted, recipients: RecipientCounts(), figures: figures, reasons: reasons,
        asked: asked, at: dawn))
    return ledger.run
  }

  @Test("are kept as they are, whatever of them is not known")
  func kept() throws {
    for figures in [Self.figures, RunFigures(environment: "sandbox", pass: 1), nil] {
      let run = try run(figures)
      #expect(try HistoryReader(path).run(run)?.figures == figures)
    }
  }

  @Test("have their reasons, the most frequent first, and what each environment answered")
  func lists() throws {
    let run = try run(Self.figures, Self.reasons.reversed(), Self.asked)
    let reader = try HistoryReader(path)
    #expect(try reader.reasons(of: run) == Self.reasons)
    #expect(try reader.answers(of: run) == Self.asked)
  }

  @Test("are those of the last pass that ended")
  func replaced() throws {
    let run = try run(Self.figures, Self.reasons, Self.asked)
    var second = RunFigures(environment: "emulator", pass: 2)
    second.unread = UnreadRecipients()
    let pass = try SQLLedger.resume(run, at: path, now: dawn)
    try pass.resuming?.beginPass()
    let reader = try HistoryReader(path)
    #expect(try reader.run(run)?.figures == Self.figures)
    try pass.finish(
      RunEnding(.finished, recipients: RecipientCounts(), figures: second, at: dawn))
    #expect(try reader.run(run)?.figures == second)
    #expect(try reader.reasons(of: run).isEmpty && reader.answers(of: run).isEmpty)
  }

  @Test("go with their run")
  func removed() throws {
    _ = try run(Self.figures, Self.reasons, Self.asked)
    let pruning = try HistoryPruning(path)
    let rule = PruningRule(keep: 0, takesUnfinished: true)
    _ = try pruning.remove(pruning.plan(rule, now: dawn))
    for table in ["figures", "refusals", "answers"] {
      #expect(try rows("SELECT count(*) FROM \(table)", in: path) == ["0"])
    }
  }
}
