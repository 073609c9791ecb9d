internal import APNS
public import History
public import PushModel

/// A history in a database, opened for reading.
///
/// Rows are read a page at a time: a long read transaction would keep the senders' write-ahead log
/// from being emptied.
public final class HistoryReader {
  /// The path of its file, or its URL.
  public let path: String

  let database: Database
  var lists: WordCache
  var reasons: WordCache
  private let payload: Statement
  let related: Statement
  /// The progress of runs, as far as it was needed.
  var progress: [RunNumber: StoredProgress] = [:]

  /// Opens an existing history. A read-only one can still be read.
  ///
  /// - Throws: `HistoryError`: among others `missing`, `notDatabase`, `foreign`, `newerSchema`,
  ///   `beforeRelease` and `corrupt`.
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

  /// True if the history is read-only here and no process was writing to it when it was opened.
  /// Later changes are then not visible.
  public var isAtRest: Bool { database.driver.isAtRest }

  /// A run; nil if the history does not contain it.
  public func run(_ number: RunNumber) throws(HistoryError) -> RunEntry? {
    let statement = try Statement(
      "\(RunEntry.selection(in: database)) WHERE runs.id = ?", on: database)
    statement.bind(number.rawValue, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try RunEntry(row: statement)
  }

  /// The newest run; nil if there is none.
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

  /// The bundle IDs of its runs: their topics without the suffix of a push type.
  public func apps() throws(HistoryError) -> [String] {
    let topics = try words(
      "SELECT topic FROM runs WHERE topic IS NOT NULL GROUP BY topic ORDER BY min(id)")
    return topics.map { topic in
      let suffix = PushType.table.map(\.suffix).filter(topic.hasSuffix).max { $0.count < $1.count }
      return String(topic.dropLast(suffix?.count ?? 0))
    }
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

  /// Returns true if a process sends, resumes or enqueues a run now, or a worker works on it.
  public func isBeingSent(_ run: RunNumber) -> Bool {
    (try? database.isBeingSent(run)) ?? false
  }

  /// The stored payload of a push; nil if there is none.
  public func keptPayload(of push: PushEntry) throws(HistoryError) -> [UInt8]? {
    payload.bind(push.run.row(of: push.sequence), at: 1)
    guard try payload.step() else { return nil }
    defer { payload.reset() }
    return Array(payload.bytes(0))
  }

  /// Passes runs, newest first, until `body` returns false.
  ///
  /// - Parameter filter: its conditions on pushes exclude runs that cannot have a match.
  public func forEachRun(
    _ filter: HistoryFilter, _ body: (RunEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError) {
    try forEachRow(RunCondition(filter), newestFirst: true, body)
  }

  /// Passes the wanted rows of runs, in order, until `body` returns false.
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
  /// The reasons of the last pass of a run that has ended, most frequent first.
  public func reasons(of run: RunNumber) throws(HistoryError) -> [ReasonCount] {
    let rows = try Statement("SELECT reason, count FROM refusals WHERE run = ?", on: database)
    rows.bind(run.rawValue, at: 1)
    var reasons: [ReasonCount] = []
    while try rows.step() { reasons.append(ReasonCount(rows.text(0) ?? "", try rows.count(1))) }
    return reasons.sorted { ($0.count, $1.name) > ($1.count, $0.name) }
  }

  /// The answers of the environments that were tried for the device token of a run, in order.
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

/// A selection of a run's columns.
protocol RunRow {
  /// The columns and their tables.
  static func selection(in database: borrowing Database) -> String

  /// The run's number.
  var run: RunNumber { get }

  /// Reads a statement's current row.
  init(row: borrowing Statement) throws(HistoryError)
}

/// Holds a run as it is: while this object lives, no process can resume it.
public final class RunHold {
  private var lease: (any RunLease)?

  fileprivate init(_ lease: any RunLease) { self.lease = lease }

  /// Releases the hold early.
  public func release() { lease = nil }
}

extension HistoryReader {
  /// Holds a run that no process is sending.
  ///
  /// - Throws: `HistoryError.owned` if a process is sending it, and `inQueue` if it is in the
  ///   queue.
  public func hold(_ run: RunNumber) throws(HistoryError) -> RunHold {
    try database.refuseQueued(run)
    return RunHold(try database.driver.takeLease(of: run))
  }

  /// Writes the results that the last pass of a run could not write, unless a process is sending it.
  ///
  /// - Parameter now: the time in milliseconds since 1970 UTC.
  public func take(
    _ rescued: RescuedResults, of run: RunNumber, now: Int64
  ) throws(HistoryError) {
    guard let record = try RunRecord.read(run, from: database), let hold = try? hold(run) else {
      return
    }
    defer { hold.release() }
    try rescued(record) { (results) throws(HistoryError) in
      let writable = try Database.openExisting(path)
      return try writable.take(results, of: run, record, now: now)
    }
  }
}
