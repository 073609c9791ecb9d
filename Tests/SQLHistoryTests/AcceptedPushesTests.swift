import APNS
import PushModel
import SendingSupport
import Testing

@testable import SQLHistory

@Suite("Numbers in a packed column")
struct PackedColumnTests {
  @Test(
    "are read as they were written, in as few bytes as they need",
    arguments: [
      ([7], 0), ([-3, -3, -3], 0), ([0, 255], 1), ([1000, 1256, 1001], 2),
      ([-1, 65_535], 4), ([0, 1 << 32 - 1, 5], 4), ([0, 1 << 32], 8), ([.min, .max, 0], 8),
    ] as [([Int64], Int)])
  func roundTrip(numbers: [Int64], width: Int) throws {
    var bytes: [UInt8] = [1, 2, 3]
    PackedColumn.append(numbers, to: &bytes)
    #expect(bytes.count == 3 + 9 + width * numbers.count)
    let column = try #require(PackedColumn(in: bytes, from: 3, count: numbers.count))
    #expect(column.end == bytes.count)
    #expect(numbers.indices.map { column.number(at: $0, in: bytes) } == numbers)
  }

  @Test("have one form for ever")
  func form() {
    var bytes: [UInt8] = []
    PackedColumn.append([258, 256, 512], to: &bytes)
    #expect(bytes == [0, 1, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1])
  }
}

@Suite("Accepted pushes in one value")
struct AcceptedPushesTests {
  private let first: Int64 = 3 << 40 | 4096

  private func value(_ rows: [Int64], size: Int = 2, uniqueIDSize: Int = 3) -> [UInt8] {
    var bytes: [UInt8] = []
    let zeros = rows.map { _ in Int64(0) }
    let columns = [rows, zeros, rows.map { 7 - $0 }, rows.indices.map { Int64($0) }, zeros]
    AcceptedPushes.write(columns, tokenSize: size, uniqueIDSize: uniqueIDSize, to: &bytes)
    for size in [size, uniqueIDSize] {
      for index in rows.indices { bytes += Array(repeating: UInt8(index), count: size) }
    }
    return bytes
  }

  @Test("are read as they were written")
  func roundTrip() throws {
    let rows = [first, first + 1, first + 700, first + 2047]
    let pushes = try #require(AcceptedPushes(value(rows), first: first, count: 4))
    #expect(rows.indices.map { pushes.row(at: $0) } == rows)
    #expect(pushes.line(at: 3) == 7 && pushes.number(.latency, at: 2) == 2)
    #expect(pushes.withToken(at: 3) { Array($0) } == [3, 3])
    #expect(pushes.withUniqueID(at: 1) { Array($0) } == [1, 1, 1])
    #expect(rows.map { pushes.firstIndex(from: $0) } == [0, 1, 2, 3])
    #expect(pushes.firstIndex(from: first + 2) == 2 && pushes.firstIndex(from: .max) == 4)
  }

  @Test("that are damaged are refused")
  func damage() {
    let whole = value([first, first + 1])
    for end in whole.indices {
      #expect(AcceptedPushes(Array(whole[..<end]), first: first, count: 2) == nil)
    }
    #expect(AcceptedPushes(whole + [0], first: first, count: 2) == nil)
    for count in [-1, 0, 1, 3, 2049, .max] {
      #expect(AcceptedPushes(whole, first: first, count: count) == nil)
    }
    #expect(AcceptedPushes(whole, first: first + 1, count: 2) == nil)
    for rows in [[first, first], [first, first - 1], [first, first + 2048], [first, .max]] {
      #expect(AcceptedPushes(value(rows), first: first, count: 2) == nil)
    }
    var other = whole
    other[0] = 2
    #expect(AcceptedPushes(other, first: first, count: 2) == nil)
  }
}

@Suite("The table of all pushes", .overAllHistories)
struct PushTableTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// Every seventh push is refused, every fifth answered after all others. Of each 1,000, a third has
  /// unique IDs in lower case and a third in upper case.
  private func results(_ count: Int) throws -> [PushResult] {
    let pushes = try Push.samples(count)
    let late = pushes.filter { $0.sequence % 5 == 0 }
    return (pushes.filter { $0.sequence % 5 != 0 } + late).map {
      $0.sequence % 7 == 0 ? $0.result(.rejected, .gone) : accepted($0)
    }
  }

  private func accepted(_ push: Push) -> PushResult {
    let id = APNSID(.init(0xABCDEF, 7), sequence: push.sequence).description
    let ids: [String?] = [nil, id, id.uppercased()]
    let response = Response(status: .accepted, uniqueID: ids[Int(push.sequence % 1000 / 334)])
    return push.result(.accepted, response, latency: 1500, at: dawn + 1000)
  }

  private func fill(_ count: Int, batch: Int) throws -> SQLLedger {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    let results = try results(count)
    for start in stride(from: 0, to: count, by: batch) {
      try ledger.record(Array(results[start..<min(start + batch, count)]), now: dawn)
      try ledger.commit()
    }
    return ledger
  }

  @Test("has each once and in order, both ways and within any bounds")
  func order() throws {
    let ledger = try fill(5000, batch: 700)
    #expect(try rows("SELECT count(*) FROM results", in: path) == ["714"])
    let base: Int64 = 1 << 40
    for (low, high) in [
      (1, 5000), (1, 1), (7, 7), (2047, 2049), (2048, 2048), (4999, 9000), (0, 0),
    ] {
      let expected = (max(low, 1)..<max(low, min(high, 5000) + 1)).map { "\(base + Int64($0))" }
      let found = "SELECT id FROM pushes(\(base + Int64(low)), \(base + Int64(high))) ORDER BY id"
      #expect(try rows(found, in: path) == (low == 0 ? [] : expected))
      #expect(try rows("\(found) DESC", in: path) == (low == 0 ? [] : expected.reversed()))
    }
    withExtendedLifetime(ledger) {}
  }

  @Test("says of a packed push what its row would have said")
  func columns() throws {
    let ledger = try fill(3000, batch: 1000)
    let all = "SELECT * FROM pushes ORDER BY id"
    let packed = try rows(all, in: path)
    try ledger.database.unpackAccepted()
    #expect(try rows("SELECT * FROM results ORDER BY id", in: path) == packed)
    #expect(try rows(all, in: path) == packed)
    #expect(packed[1].hasSuffix("|1|20|0|200||1|0|0|1500|1000||||0"))
    let sizes = "SELECT length(unique_id), count(*) FROM results WHERE outcome = 0"
    #expect(
      try rows("\(sizes) GROUP BY 1 ORDER BY coalesce(length(unique_id), 0)", in: path)
        == ["|859", "16|858", "36|855"])
  }

  @Test("can be asked for one push, and by two statements at once")
  func points() throws {
    let ledger = try fill(3000, batch: 1000)
    let question = """
      SELECT wanted.id & 65535, outcome, line FROM origins AS wanted
        LEFT JOIN pushes(wanted.id, wanted.id) AS found ON true ORDER BY 1
      """
    #expect(try rows(question, in: path).isEmpty)
    let base: Int64 = 1 << 40
    let wanted = ([2, 7, 2999, 4000] as [Int64]).map { "(\(base + $0), 0)" }.joined(separator: ", ")
    try ledger.database.execute("INSERT INTO origins VALUES \(wanted)")
    #expect(
      try rows(question, in: path) == ["2|0|20", "7|1|70", "2999|0|29990", "4000||"])
    let pairs = try rows(
      """
      SELECT count(*) FROM pushes(\(base + 2901), \(base + 5000)) AS one
        JOIN pushes(one.id + 1, one.id + 1) AS other ON true
      """, in: path)
    #expect(pairs == ["99"])
  }

  @Test(
    "tells damage in a packed value as damage",
    arguments: ["pushes = substr(pushes, 1, 400)", "count = \(1 << 40)"])
  func damage(_ change: String) throws {
    let ledger = try fill(3000, batch: 1000)
    try ledger.database.execute(
      "UPDATE accepted SET \(change) WHERE id > \(1 << 40 + 2000)")
    let database = try Database.open(path)
    let statement = try Statement(
      "SELECT max(latency) FROM pushes(0, \(Int64.max))", on: database)
    #expect(throws: HistoryError.corrupt(path: place.name)) { _ = try statement.step() }
  }
}

@Suite("Hex digits")
struct HexDigitsTests {
  @Test("of any number and either case are the bytes they stand for", arguments: 0..<20)
  func decoding(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 0xA5) }
    for letters in ["0123456789abcdef", "0123456789ABCDEF"].map({ Array($0.utf8) }) {
      let digits = bytes.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }
      var found: [UInt8] = [7]
      digits.withUnsafeBufferPointer { found.append(hex: $0) }
      #expect(found == [7] + bytes)
    }
  }
}
