import CoreSupport
import History
import PushModel
import SendingSupport
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

@Suite("The figures of a run that an older version has written", .overAllHistories)
struct OlderFiguresTests {
  private let place: HistoryReference

  /// A history whose tables are those before the figures had columns.
  init() throws {
    place = try HistoryReference(isBare: true)
    if HistoryKind.current == .sqlite {
      let file = try SQLiteFile(place.path)
      for step in SQLiteSchema.migrations.prefix(6) { file.execute(step) }
      file.execute("PRAGMA application_id = 1717661286; PRAGMA user_version = 6")
    } else {
      let session = try PostgresSession(place.path)
      try session.execute("CREATE SCHEMA fanfare; SET search_path TO fanfare")
      try session.execute(PostgreSQLSchema.migrations[0])
      try session.execute("INSERT INTO schema_version VALUES (1)")
    }
  }

  /// Puts a run in, and brings the history up to date.
  private func read(_ summary: String, state: String = "finished") throws -> HistoryReader {
    let text = summary.replacing("'", with: "''")
    let sql = """
      INSERT INTO runs (started, state, kind, environment, version, headers, payload, variables,
          settings, at_most_once, id_high, id_low, summary)
        VALUES (\(dawn), '\(state)', 'send', 'sandbox', '1', '{}', '{}', '{}', '{}', 0, 1, 1,
          '\(text)');
      INSERT INTO progress (run) SELECT max(id) FROM runs
      """
    if HistoryKind.current == .sqlite {
      try SQLiteFile(place.path).execute(sql)
    } else {
      try PostgresSession(place.path).execute("SET search_path TO fanfare; \(sql)")
    }
    return try HistoryReader(place.path)
  }

  @Test("are those of the summary that was kept")
  func summary() throws {
    let reader = try read(
      """
      {"run":1,"environment":"production","lines":26,"total":6,"accepted":1,"rejected":0,
       "skipped":0,"deferred":2,"unknown":0,"notAttempted":3,"badLines":8,"duplicates":7,
       "suppressed":5,"otherShards":0,"unread":{"list":"it's.txt","line":26,"recipients":null},
       "pass":2,"reasons":{"ServiceUnavailable":2,"status 500":1},"resentInDoubt":4,
       "seconds":0.035971169,"pushesPerSecond":83.40012525030811,
       "latency":{"p50":0.335,"p95":0.799,"p99":12.543},"connections":8,
       "connectionsLimit":"server","asked":[
         {"environment":"sandbox","status":400,"reason":"BadDeviceToken"},
         {"environment":"production","status":null,"reason":null}]}
      """, state: "interrupted")
    var figures = RunFigures(environment: "production", pass: 2)
    (figures.outcomes.accepted, figures.outcomes.deferred, figures.outcomes.notAttempted) = (
      1, 2, 3
    )
    figures.recipients = RecipientCounts(lines: 26, badLines: 8, duplicates: 7, suppressed: 5)
    figures.unread = UnreadRecipients(after: .init(list: "it's.txt", line: 26))
    (figures.sent, figures.resentInDoubt, figures.nanoseconds) = (3, 4, 35_971_169)
    figures.latency = LatencyShares(p50: 335, p95: 799, p99: 12_543)
    figures.connections = ConnectionFigures(most: 8, limit: .server)
    let entry = try #require(try reader.newestRun())
    #expect(entry.figures == figures)
    #expect(entry.figures?.pushesPerSecond == 83.40012525030811)
    #expect(
      try reader.reasons(of: entry.run) == [
        ReasonCount("ServiceUnavailable", 2), ReasonCount("status 500", 1),
      ])
    #expect(
      try reader.answers(of: entry.run) == [
        EnvironmentAnswer(environment: "sandbox", status: 400, reason: "BadDeviceToken"),
        EnvironmentAnswer(environment: "production", status: nil, reason: nil),
      ])
    #expect(try rows("SELECT count(summary) FROM runs", in: place.path) == ["0"])
  }

  @Test(
    "lack what version 0.1 did not write",
    arguments: [("finished", nil), ("interrupted", UnreadRecipients())])
  func oldest(state: String, unread: UnreadRecipients?) throws {
    let reader = try read(
      """
      {"run":1,"environment":"sandbox","lines":2,"total":2,"accepted":0,"rejected":0,"skipped":0,
       "deferred":0,"unknown":0,"notAttempted":2,"badLines":0,"duplicates":0,"suppressed":0,
       "otherShards":0,"reasons":{},"resentInDoubt":0,"seconds":0.5,"pushesPerSecond":0.0,
       "latency":{"p50":null,"p95":null,"p99":null}}
      """, state: state)
    var figures = RunFigures(environment: "sandbox")
    figures.outcomes.notAttempted = 2
    (figures.recipients.lines, figures.nanoseconds, figures.unread) = (2, 500_000_000, unread)
    #expect(try reader.newestRun()?.figures == figures)
  }

  @Test(
    "are not there where no version of this tool wrote them",
    arguments: [
      "{}", "no JSON", "[7]", #"{"seconds":"x"}"#,
      #"{"seconds":1,"lines":"x","reasons":7,"asked":{"a":1},"unread":[]}"#,
      #"{"seconds":1,"reasons":{"a":"b"},"asked":[7,{"environment":8}],"latency":3}"#,
    ])
  func damaged(summary: String) throws {
    let entry = try #require(try read(summary).newestRun())
    #expect(entry.figures?.outcomes.total ?? 0 == 0 && entry.figures?.recipients.lines ?? 0 == 0)
  }
}
