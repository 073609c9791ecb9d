import PushModel
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLHistory

@Suite("Accepted pushes in PostgreSQL", .needsPostgreSQL)
struct PostgreSQLPushesTests {
  private let database: PostgresDatabase
  private let first: Int64 = 3 << 40 | 4096

  init() throws { database = try PostgresDatabase() }

  private func connected() throws -> DatabaseConnection {
    let connection = try DatabaseConnection.open(database)
    try connection.execute("CREATE SCHEMA fanfare; SET search_path TO fanfare")
    try connection.execute(PostgreSQLSchema.creation)
    return connection
  }

  /// Puts a value in, whose numbers are up to `span` apart. Tokens and unique IDs have so many bytes.
  ///
  /// - Returns: what its rows are.
  private func put(
    _ rows: [Int64], span: Int64, size: Int, idSize: Int = 0,
    on connection: borrowing DatabaseConnection
  ) throws -> [String] {
    let numbers = rows.indices.map { $0 == 0 ? 0 : span / Int64($0) }
    let lines = zip(numbers, rows).map { $0 - $1 }
    var bytes: [UInt8] = []
    AcceptedPushes.write(
      [rows, numbers.map { $0 + 1 }, lines, numbers, numbers.map { $0 - 5 }], tokenSize: size,
      uniqueIDSize: idSize, to: &bytes)
    for size in [size, idSize] {
      for index in rows.indices { bytes += Array(repeating: UInt8(index), count: size) }
    }
    try connection.queryPrepared(
      "INSERT INTO accepted VALUES ($1, 2, $2, $3)",
      [.int64(rows[0]), .int64(Int64(rows.count)), .bytes(bytes)])
    return rows.indices.map { index in
      let (row, number) = (rows[index], numbers[index])
      let (token, id) = (hex(index, size), hex(index, idSize))
      return
        "\(row)|\(token)|\(number + 1)|\(number)|0|200||1|0|2|\(number)|\(number - 5)||\(id)||0"
    }
  }

  private func hex(_ byte: Int, _ count: Int) -> String {
    String(repeating: "0\(byte)", count: count)
  }

  private func unpacked(
    _ bounds: ClosedRange<Int64>, on connection: borrowing DatabaseConnection
  ) throws -> [String] {
    let rows = try connection.queryPrepared(
      """
      SELECT concat_ws('|', id, encode(token, 'hex'), list, line, outcome, status,
          coalesce(reason::text, ''), attempts, deferrals, pass, latency, at,
          coalesce(timestamp::text, ''), coalesce(encode(unique_id, 'hex'), ''),
          coalesce(registered::text, ''), resent)
        FROM pushes($1, $2) ORDER BY id
      """, [.int64(bounds.lowerBound), .int64(bounds.upperBound)])
    return (0..<rows.count).map { rows.text($0, 0) }
  }

  @Test(
    "are read as they were packed, however far the numbers are apart",
    arguments: [0, 1, 255, 256, 65_535, 65_536, 1 << 32 - 1, 1 << 32, 1 << 50] as [Int64])
  func roundTrip(span: Int64) throws {
    let connection = try connected()
    var expected: [String] = []
    for (index, (size, idSize)) in [(0, 16), (1, 0), (32, 36), (255, 255)].enumerated() {
      let block = first + Int64(index) * AcceptedPushes.blockSize
      expected += try put(
        [block, block + 1, block + 2047], span: span, size: size, idSize: idSize, on: connection)
    }
    #expect(try unpacked(0 ... .max, on: connection) == expected)
  }

  @Test("are found between those of other commits and of rows, within any bounds")
  func bounds() throws {
    let connection = try connected()
    var rows = try put([first, first + 4, first + 9], span: 7, size: 2, on: connection)
    rows += try put([first + 1, first + 2, first + 8], span: 7, size: 3, on: connection)
    rows += try put([first + 2048], span: 7, size: 2, on: connection)
    try connection.execute(
      "INSERT INTO results VALUES (\(first + 5), '', 1, 9, 0, 200, NULL, 1, 0, 2, 7, 8, NULL, "
        + "NULL, NULL, 0)")
    rows.append("\(first + 5)||1|9|0|200||1|0|2|7|8||||0")
    rows.sort()
    for low in first - 1...first + 11 {
      for high in [low, low + 2, first + 2048] {
        let expected = rows.filter { row in
          row.split(separator: "|").first.flatMap { Int64($0) }.map { low...high ~= $0 } ?? false
        }
        #expect(try unpacked(low...high, on: connection) == expected)
      }
    }
  }
}

@Suite("The tables in PostgreSQL", .needsPostgreSQL)
struct PostgreSQLSchemaTests {
  private let database: PostgresDatabase

  init() throws { database = try PostgresDatabase() }

  @Test("are made once, although many want them at the same time")
  func race() throws {
    let failures = Mutex<[String]>([])
    onThreads(8) { [address = database.address] _ in
      do {
        _ = try Database.open(address)
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(
      try database.rows("SELECT version FROM fanfare.format")
        == [["\(HistoryTables.version)"]])
  }

  @Test("of a newer version are left alone")
  func newer() throws {
    _ = try Database.open(database.address)
    try database.execute("UPDATE fanfare.format SET version = 99")
    let error = #expect(throws: HistoryError.self) { _ = try Database.open(database.address) }
    guard case .newerSchema(_, 99, HistoryTables.version)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("are refused to a role without rights, and made in a schema that is its own")
  func rights() throws {
    let role = "role\(database.address.hashValue.magnitude)"
    try database.execute("CREATE ROLE \(role) LOGIN")
    let address = database.address.replacing("user=fanfare", with: "user=\(role)")
    let error = #expect(throws: HistoryError.self) { _ = try Database.open(address) }
    guard case .denied? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try database.execute("CREATE SCHEMA fanfare AUTHORIZATION \(role)")
    _ = try Database.open(address)
  }
}
