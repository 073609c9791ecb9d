public import History
public import PushModel

/// A history in SQLite, opened to be asked.
///
/// Rows come a page at a time: a reader that stays in the database for long would keep the
/// write-ahead log of those who send from being emptied.
public final class HistoryReader: HistoryStore {
  /// The history's file.
  public let path: String

  let database: Database
  var lists: WordCache
  var reasons: WordCache
  private let payload: Statement
  let related: Statement
  /// How far runs came, as far as it was needed.
  var progress: [RunNumber: StoredProgress] = [:]

  /// Opens a history that is there. One that cannot be written to can still be read.
  ///
  /// - Throws: `HistoryError`: among others `missing`, `notDatabase`, `foreign`, `newerSchema`,
  ///   `olderReadOnly` and `corrupt`.
  public init(_ path: String) throws(HistoryError) {
    let database = try Database.openForReading(path)
    let payload = try Statement("SELECT payload FROM payloads WHERE id = ?", on: database)
    let related = try Statement(Self.relatedResults, on: database)
    let lists = try WordCache("lists", on: database)
    let reasons = try WordCache("reasons", on: database)
    self.path = path
    self.database = database
    self.payload = payload
    self.related = related
    self.lists = lists
    self.reasons = reasons
  }

  /// Whether the history cannot be written to from here, and was not being written to when it was
  /// opened: then what others write later is not seen.
  public var isAtRest: Bool { database.driver.isAtRest }

  /// A run; nil when the history does not hold it.
  public func run(_ number: RunNumber) throws(HistoryError) -> RunEntry? {
    let statement = try Statement(
      "\(RunEntry.selection(in: database)) WHERE runs.id = ?", on: database)
    statement.bind(number.rawValue, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try RunEntry(row: statement)
  }

  /// The newest run; nil when there is none.
  public func newestRun() throws(HistoryError) -> RunEntry? {
    try database.run("SELECT max(id) FROM runs").flatMap { (number) throws(HistoryError) in
      try run(number)
    }
  }

  /// The environments of its runs.
  public func environments() throws(HistoryError) -> [String] {
    try words("SELECT environment FROM runs GROUP BY environment ORDER BY min(id)")
  }

  /// The scenarios of its runs.
  public func scenarios() throws(HistoryError) -> [String] {
    try words(
      "SELECT scenario FROM runs WHERE scenario IS NOT NULL GROUP BY scenario ORDER BY min(id)")
  }

  /// The reasons of its answers.
  public func allReasons() throws(HistoryError) -> [String] {
    try words("SELECT word FROM reasons ORDER BY id")
  }

  private func words(_ sql: String) throws(HistoryError) -> [String] {
    let statement = try Statement(sql, on: database)
    var words: [String] = []
    while try statement.step() { words.append(statement.text(0) ?? "") }
    return words
  }

  /// Whether a process sends, resumes or enqueues a run now, or a worker works on it.
  public func isBeingSent(_ run: RunNumber) -> Bool {
    (try? database.isBeingSent(run, at: path)) ?? false
  }

  /// The payload that was kept of a push; nil when none was.
  public func keptPayload(of push: PushEntry) throws(HistoryError) -> [UInt8]? {
    payload.bind(push.run.row(of: push.sequence), at: 1)
    guard try payload.step() else { return nil }
    defer { payload.reset() }
    return Array(payload.bytes(0))
  }

  /// Hands out runs, the newest first, until `body` returns false.
  ///
  /// - Parameter filter: what it says of pushes leaves out runs that cannot have one.
  public func forEachRun(
    _ filter: HistoryFilter, _ body: (RunEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError) {
    try forEachRow(RunCondition(filter), newestFirst: true, body)
  }

  /// Hands out what is wanted of runs, in order, until `body` returns false.
  func forEachRow<Row: RunRow>(
    _ condition: RunCondition, newestFirst: Bool, _ body: (Row) throws(HistoryError) -> Bool
  ) throws(HistoryError) {
    let statement = try Statement(
      """
      \(Row.selection(in: database)) WHERE runs.id \(newestFirst ? "<" : ">") ? AND \(condition.sql)
        ORDER BY runs.id \(newestFirst ? "DESC" : "ASC") LIMIT 256
      """, on: database)
    var last: Int64 = newestFirst ? .max : 0
    var page: [Row] = []
    repeat {
      page = []
      statement.bind(last, at: 1)
      condition.bind(to: statement, from: 2)
      while try statement.step() { page.append(try Row(row: statement)) }
      for row in page {
        let number = row.run.rawValue
        guard newestFirst ? number < last : number > last else { throw statement.corrupt }
        last = number
        if try !body(row) { return }
      }
    } while !page.isEmpty
  }
}

// Lists that belong to a run's figures.
extension HistoryReader {
  /// The reasons of the last pass of a run that has ended, the most frequent first.
  public func reasons(of run: RunNumber) throws(HistoryError) -> [ReasonCount] {
    let rows = try Statement("SELECT reason, count FROM refusals WHERE run = ?", on: database)
    rows.bind(run.rawValue, at: 1)
    var reasons: [ReasonCount] = []
    while try rows.step() { reasons.append(ReasonCount(rows.text(0) ?? "", try rows.count(1))) }
    return reasons.sorted { ($0.count, $1.name) > ($1.count, $0.name) }
  }

  /// The answers of the environments that were asked for the device token of a run, in order.
  public func answers(of run: RunNumber) throws(HistoryError) -> [EnvironmentAnswer] {
    let rows = try Statement(
      "SELECT environment, status, reason FROM answers WHERE run = ? ORDER BY place", on: database)
    rows.bind(run.rawValue, at: 1)
    var answers: [EnvironmentAnswer] = []
    while try rows.step() {
      answers.append(
        EnvironmentAnswer(
          environment: rows.text(0) ?? "", status: try rows.optionalCount(1),
          reason: rows.text(2)))
    }
    return answers
  }
}

/// What is read of a run.
protocol RunRow {
  /// The columns, and the tables they are of.
  static func selection(in database: borrowing Database) -> String

  /// The run's number.
  var run: RunNumber { get }

  /// Reads the row that a statement stands on.
  init(row: borrowing Statement) throws(HistoryError)
}

/// Holds a run by its lease.
final class LeaseHold: RunHold {
  private var lease: (any RunLease)?

  init(_ lease: any RunLease) { self.lease = lease }

  func release() { lease = nil }
}

extension HistoryReader {
  /// Holds a run that no process is sending.
  ///
  /// - Throws: `HistoryError.owned` when a process is sending it, and `inQueue` while it is in the
  ///   queue.
  public func hold(_ run: RunNumber) throws(HistoryError) -> any RunHold {
    try database.refuseQueued(run)
    return LeaseHold(try database.driver.takeLease(of: run, at: path))
  }
}
