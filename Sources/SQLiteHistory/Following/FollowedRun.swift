internal import History
internal import PushModel

/// A run whose results are handed out as they come.
struct FollowedRun {
  let start: RunStart
  /// The pass whose results come, from 0.
  private(set) var pass: Int64
  private(set) var open: OpenPushes

  /// A run of which no result was handed out.
  init(new start: RunStart) { self.init(start, pass: 0, open: .all) }

  /// A run of which all results of a pass were handed out.
  init(ended start: RunStart, pass: Int64) { self.init(start, pass: pass, open: .none) }

  private init(_ start: RunStart, pass: Int64, open: OpenPushes) {
    self.start = start
    self.pass = pass
    self.open = open
  }

  /// A run that is being sent: the results that are there are not handed out.
  init(
    running start: RunStart, pass: Int64, in database: borrowing Database
  ) throws(HistoryError) {
    self.init(start, pass: pass, open: .all)
    try close("(outcome IN (0, 1, 2) OR pass = \(pass))", in: database)
  }

  /// Hands out the new results of its pass, in the order of their numbers.
  mutating func look(
    _ search: borrowing ResultSearch, _ body: (PushEntry) -> Void
  ) throws(HistoryError) {
    try look(search, passes: pass...pass, body)
  }

  /// Another pass goes on: what came of earlier ones is handed out, and every push is open again
  /// that has not its last result of one.
  mutating func begin(
    _ pass: Int64, _ search: borrowing ResultSearch, in database: borrowing Database,
    _ body: (PushEntry) -> Void
  ) throws(HistoryError) {
    try look(search, passes: 0...pass - 1, body)
    self.pass = pass
    open = .all
    try close("outcome IN (0, 1, 2) AND pass < \(pass)", in: database)
  }

  private mutating func look(
    _ search: borrowing ResultSearch, passes: ClosedRange<Int64>, _ body: (PushEntry) -> Void
  ) throws(HistoryError) {
    for range in open.ranges {
      var next: UInt64? = range.lowerBound
      while let first = next {
        let page = try search.page(start, first...range.upperBound, passes)
        for push in page { body(push) }
        open.close(page.map(\.sequence))
        next = page.count == ResultSearch.pageSize ? page.last.map { $0.sequence + 1 } : nil
        if let next, next > range.upperBound { break }
      }
    }
  }

  /// Takes the pushes out whose rows fit, a page at a time.
  private mutating func close(
    _ condition: String, in database: borrowing Database
  ) throws(HistoryError) {
    let statement = try Statement(
      "SELECT id FROM results WHERE id > ? AND id <= ? AND \(condition) ORDER BY id LIMIT 65536",
      on: database)
    var last = start.run.rows.lowerBound
    var page: [UInt64] = []
    repeat {
      page = []
      statement.bind(last, at: 1)
      statement.bind(start.run.rows.upperBound, at: 2)
      while try statement.step() {
        last = statement.int64(0)
        page.append(RunNumber.sequence(ofRow: last))
      }
      open.close(page)
    } while !page.isEmpty
  }
}

/// Reads the results of some pushes of a run that came in some passes.
struct ResultSearch: ~Copyable {
  static let pageSize = 2048

  private let reader: HistoryReader
  private let statement: Statement

  init(_ reader: HistoryReader) throws(HistoryError) {
    statement = try Statement(
      """
      SELECT \(PushEntry.columns) FROM results
        WHERE id BETWEEN ? AND ? AND pass BETWEEN ? AND ? ORDER BY id LIMIT \(Self.pageSize)
      """, on: reader.database)
    self.reader = reader
  }

  func page(
    _ run: RunStart, _ sequences: ClosedRange<UInt64>, _ passes: ClosedRange<Int64>
  ) throws(HistoryError) -> [PushEntry] {
    statement.bind(run.run.row(of: sequences.lowerBound), at: 1)
    statement.bind(run.run.row(of: sequences.upperBound), at: 2)
    statement.bind(passes.lowerBound, at: 3)
    statement.bind(passes.upperBound, at: 4)
    var page: [PushEntry] = []
    while try statement.step() { page.append(try reader.entry(statement, of: run)) }
    return page
  }
}
