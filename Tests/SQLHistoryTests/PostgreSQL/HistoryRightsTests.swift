import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("The rights to a history in PostgreSQL", .needsPostgreSQL)
struct HistoryRightsTests {
  private let database: PostgresDatabase
  private let role: String
  private let path: String

  init() throws {
    database = try PostgresDatabase()
    role = "role_\(database.name)"
    path = database.address(as: role)
    try database.execute("CREATE ROLE \(role) LOGIN")
  }

  private func send() throws {
    let ledger = try SQLLedger.begin(.sample(), at: database.address)
    try ledger.record(
      try Push.samples(3).map { $0.sequence == 3 ? $0.result(.rejected, .gone) : $0.accepted },
      now: dawn)
    try ledger.finishAll(3)
  }

  private func expectDenied(_ body: () throws -> Void) {
    let error = #expect(throws: HistoryError.self, performing: body)
    if case .denied(let server, let reason)? = error {
      #expect(server == database.shownAddress && reason.contains("permission denied"))
    } else {
      Issue.record("another error: \(error as Any)")
    }
  }

  @Test("to make one are those to make a schema")
  func creation() throws {
    expectDenied { try SQLLedger.look(at: path) }
    #expect(throws: HistoryError.missing(path: database.shownAddress)) {
      try HistoryReader(path)
    }
    try database.execute("GRANT CREATE ON DATABASE \(database.name) TO \(role)")
    try SQLLedger.look(at: path)
    #expect(try HistoryReader(path).newestRun() == nil)
  }

  @Test("are missing for those who were given none")
  func none() throws {
    try send()
    expectDenied { _ = try HistoryReader(path) }
    expectDenied { _ = try SQLLedger.begin(.sample(), at: path) }
  }

  @Test("can be those to read alone")
  func reading() throws {
    try send()
    try database.execute(
      """
      GRANT USAGE ON SCHEMA fanfare TO \(role);
      GRANT SELECT ON ALL TABLES IN SCHEMA fanfare TO \(role)
      """)
    let history = try HistoryReader(path)
    #expect(try history.newestRun()?.tally.accepted == 2)
    var outcomes: [Outcome] = []
    try history.forEachPush(HistoryFilter(), newestFirst: false) { push in
      outcomes.append(push.outcome)
      return true
    }
    #expect(outcomes == [.accepted, .accepted, .rejected])
    expectDenied { _ = try SQLLedger.begin(.sample(), at: path) }
    expectDenied {
      let pruning = try HistoryPruning(path)
      _ = try pruning.remove(pruning.plan(PruningRule(keep: 0), now: dawn))
    }
    #expect(try HistoryReader(path).newestRun()?.run.rawValue == 1)
  }
}
