import PushModel
import SendingSupport
import Testing

@testable import SQLHistory

@Suite("Rows that are written together", .overAllHistories)
final class RowWriterTests {
  private let place: HistoryReference
  private let database: Database
  private let writer: any RowWriter

  init() throws {
    place = try HistoryReference()
    database = try Database.open(place.path)
    writer = try database.driver.rowWriter(into: "origins", ["id", "origin"])
  }

  private func add(
    _ id: Int64, _ origin: Int64, replacing: Bool = false
  ) throws(HistoryError) {
    try writer.add(id, [.int64(id), .int64(origin)], replacing: replacing)
  }

  private func write(_ body: () throws(HistoryError) -> Void) throws {
    try database.transaction { () throws(HistoryError) in
      try body()
      try writer.write()
    }
  }

  @Test("are there, however many")
  func many() throws {
    try write { () throws(HistoryError) in
      for id in 1...20_000 as ClosedRange<Int64> { try add(id, 2 * id) }
    }
    let sums = "SELECT count(*), min(id), max(id), CAST(sum(origin) AS BIGINT) FROM origins"
    #expect(try rows(sums, in: place.path) == ["20000|1|20000|400020000"])
  }

  @Test("replace those that have their numbers, also of the same transaction")
  func replacing() throws {
    try write { () throws(HistoryError) in for id in 1...4 as ClosedRange<Int64> { try add(id, 0) }
    }
    try write { () throws(HistoryError) in
      try add(2, 7, replacing: true)
      try add(3, 7, replacing: true)
      try add(5, 7, replacing: true)
      try add(3, 8, replacing: true)
    }
    let found = try rows("SELECT id, origin FROM origins ORDER BY id", in: place.path)
    #expect(found == ["1|0", "2|7", "3|8", "4|0", "5|7"])
  }

  @Test("are forgotten with their transaction")
  func forgotten() throws {
    #expect(throws: HistoryError.full) {
      try database.transaction { () throws(HistoryError) in
        try add(1, 1)
        throw .full
      }
    }
    writer.clear()
    try write { () throws(HistoryError) in try add(2, 2) }
    #expect(try rows("SELECT id, origin FROM origins", in: place.path) == ["2|2"])
  }

  @Test(
    "are found by many numbers at once",
    arguments: [[], [3], [1, 2, 4, 7], [.min, 2, 2, 1 << 40 | 9, .max]] as [[Int64]])
  func among(numbers: [Int64]) throws {
    try write { () throws(HistoryError) in
      for id in [1, 2, 3, 4, 1 << 40 | 9] as [Int64] { try add(id, 0) }
    }
    let statement = try Statement(
      "SELECT id FROM origins WHERE \(database.dialect.idIsAmong) ORDER BY id", on: database)
    statement.bind(numbers, at: 1)
    var found: [Int64] = []
    while try statement.step() { found.append(statement.int64(0)) }
    #expect(found == [1, 2, 3, 4, 1 << 40 | 9].filter { numbers.contains($0) })
  }
}
