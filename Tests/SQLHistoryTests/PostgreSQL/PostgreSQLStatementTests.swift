import PushModel
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A statement's parameters")
struct NumberedParametersTests {
  @Test(
    "have numbers as in SQLite, and none in quotes",
    arguments: [
      ("SELECT ?, ?", "SELECT $1, $2", 2), ("SELECT ?2, ?, ?1", "SELECT $2, $3, $1", 3),
      ("SELECT '?', \"?\", 'it''s ?', ?", "SELECT '?', \"?\", 'it''s ?', $1", 1),
      ("SELECT 'größer', ?10", "SELECT 'größer', $10", 10), ("SELECT 1", "SELECT 1", 0),
    ])
  func numbers(_ text: String, _ sql: String, _ count: Int) {
    let numbered = text.withNumberedParameters
    #expect(numbered.sql == sql && numbered.count == count)
  }
}

@Suite("A statement in PostgreSQL", .needsPostgreSQL)
struct PostgreSQLStatementTests {
  private let server: PostgresDatabase

  init() throws { server = try PostgresDatabase() }

  @Test("takes and gives values of every kind, and NULL, again and again")
  func values() throws {
    let database = try Database.open(server.address)
    try database.execute("CREATE TABLE t (id bigint, a bigint, b text, c bytea)")
    let insertion = try Statement("INSERT INTO t VALUES (?, ?, ?, ?)", on: database)
    try insert(1, nil, nil, nil, insertion)
    try insert(2, .min, "größer 👍", [0, 255], insertion)
    try insert(3, 0, "", [], insertion)
    let rows = try Statement("SELECT a, b, c FROM t WHERE id >= ?1 ORDER BY id", on: database)
    for first in 1...2 {
      rows.bind(first, at: 1)
      if first == 1 {
        #expect(try rows.step() && rows.isNull(0) && rows.isNull(1) && rows.isNull(2))
        #expect(rows.int64(0) == 0 && rows.text(1) == nil && rows.bytes(2).isEmpty)
      }
      #expect(try rows.step() && rows.int64(0) == .min && rows.text(1) == "größer 👍")
      #expect(Array(rows.bytes(2)) == [0, 255])
      #expect(try rows.step() && rows.optionalInt64(0) == 0 && rows.text(1) == "")
      #expect(!rows.isNull(2) && rows.bytes(2).isEmpty)
      #expect(try !rows.step())
    }
  }

  private func insert(
    _ id: Int64, _ number: Int64?, _ text: String?, _ bytes: [UInt8]?,
    _ insertion: borrowing Statement
  ) throws {
    insertion.bind(id, at: 1)
    insertion.bind(number, at: 2)
    insertion.bind(text, at: 3)
    insertion.bind(bytes, at: 4)
    try insertion.run()
  }

  @Test("gives truth values as numbers, and numbers as text, as SQLite does")
  func conversions() throws {
    let database = try Database.open(server.address)
    #expect(try database.number("SELECT 1 < 2") == 1 && database.number("SELECT 1 > 2") == 0)
    #expect(try database.text("SELECT -12::smallint") == "-12")
    #expect(try database.number("SELECT NULL::bigint") == 0)
    #expect(try database.number("SELECT 1 WHERE false") == 0)
  }

  @Test("refuses columns that it cannot read")
  func otherTypes() throws {
    let database = try Database.open(server.address)
    #expect(throws: HistoryError.corrupt(path: database.place)) {
      try database.number("SELECT 1.5")
    }
  }

  @Test("keeps its rows while others run, also after the session is over")
  func nested() throws {
    var statement: (any DatabaseStatement)?
    do {
      let database = try Database.open(server.address)
      let numbers = try Statement("SELECT generate_series(1, ?)", on: database)
      numbers.bind(3, at: 1)
      var found: [Int64] = []
      while try numbers.step() {
        found.append(try database.number("SELECT \(numbers.int64(0)) * 10"))
      }
      #expect(found == [10, 20, 30])
      statement = try database.driver.prepare("SELECT 7")
      #expect(try statement?.step() == true)
    }
    #expect(statement?.int64(0) == 7)
  }

  @Test("begins anew after a reset, with what is bound by then")
  func reset() throws {
    let database = try Database.open(server.address)
    let numbers = try Statement("SELECT generate_series(?, 9)", on: database)
    for first in [1, 5] {
      numbers.bind(first, at: 1)
      #expect(try numbers.step() && numbers.int64(0) == first)
      numbers.reset()
    }
  }

  @Test("tells how many rows it changed, and what was put in")
  func changes() throws {
    let database = try Database.open(server.address)
    try database.execute("CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY, a bigint)")
    let insertion = try Statement("INSERT INTO t (a) VALUES (?), (?) RETURNING id", on: database)
    #expect(try insertion.step() && insertion.int64(0) == 1)
    #expect(try insertion.step() && insertion.int64(0) == 2)
    insertion.reset()
    #expect(database.changes == 2)
    try database.execute("DELETE FROM t WHERE id = 1")
    #expect(database.changes == 1)
  }

  @Test("a text that takes no values is not prepared: there may be many")
  func unprepared() throws {
    let database = try Database.open(server.address)
    for number in 1...3 { _ = try database.number("SELECT \(number)") }
    #expect(try database.number("SELECT count(*) FROM pg_prepared_statements") == 0)
  }
}
