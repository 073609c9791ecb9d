internal import APNS
internal import History
internal import PlainText
internal import PushModel

extension RunEntry: RunRow {
  /// The query for runs with their columns.
  static func selection(in database: borrowing Database) -> String {
    """
    SELECT runs.id, state, finished, claimed, pass, accepted, rejected, skipped, deferred,
      unknown, not_attempted, lines, bad_lines, duplicates, suppressed, other_shards, last,
      \(database.dialect.hasQueue ? "stopped, stop_cause" : "NULL, NULL"),
      \(RunFigures.selection), \(RunRecord.columns)
      FROM runs JOIN progress ON progress.run = runs.id
        LEFT JOIN \(RunFigures.table) ON figures_of = runs.id \(database.dialect.joinedQueue)
    """
  }

  init(row: borrowing Statement) throws(HistoryError) {
    let record = try RunRecord(row: row, from: 19 + Int32(RunFigures.columns.count))
    let run = try RunNumber(row: row)
    let state = row.text(1).flatMap { RunState(rawValue: $0) }
    let sent =
      state == .running
      ? SentNotes.find(run, record.identity, pass: row.int64(4), beside: row.place)?.mark : nil
    self.init(
      run: run, record: record, state: state, ended: try row.optionalTime(2),
      tally: try row.tally(from: 5),
      recipients: try RecipientCounts(row: row, from: 11),
      claimed: min(try row.count(3), Int(clamping: sent ?? .max)),
      last: try row.optionalCount(16), figures: try RunFigures(row: row, from: 19),
      resumptions: try row.count(4), stop: try QueueStop(row: row, from: 17, in: state))
  }
}

extension QueueStop {
  /// - Parameter first: the first of `stopped` and `stop_cause`.
  fileprivate init?(
    row: borrowing Statement, from first: Int32, in state: RunState?
  ) throws(HistoryError) {
    guard state?.isInQueue == true, let time = try row.optionalTime(first) else { return nil }
    self.init(at: time, cause: row.text(first + 1))
  }
}

extension PushEntry {
  static let columns = """
    id, token, list, line, outcome, status, reason, attempts, resent, latency, at, timestamp,
      unique_id, registered, pass
    """

  /// Reads a statement's current row.
  init(
    row: borrowing Statement, of run: ResultContext, lists: inout WordCache,
    reasons: inout WordCache
  ) throws(HistoryError) {
    let sequence = RunNumber.sequence(ofRow: row.int64(0))
    let reason = row.isNull(6) ? nil : try reasons.word(row.int64(6))
    let response = row.optionalInt64(5).map { status in
      Response(
        status: Status(rawValue: Int(status)), apnsID: nil, uniqueID: row.uniqueID(12),
        reason: reason.flatMap { Reason(rawValue: $0) }, timestamp: row.optionalInt64(11))
    }
    self.init(
      run: run.run, sequence: sequence, apnsID: run.identity.apnsID(ofSequence: sequence),
      token: hexadecimal(row.bytes(1)), channel: run.channel,
      list: try lists.word(row.int64(2)) ?? "",
      line: try row.count(3),
      outcome: Outcome(code: row.int64(4)), response: response, attempts: try row.count(7),
      wasResentInDoubt: row.int64(8) != 0,
      latencyMicroseconds: try row.optionalCount(9), at: run.started + (try row.time(10)),
      registered: row.optionalInt64(13), pass: try row.int64(14, in: .counts))
  }
}

/// The values needed to read the rows of a run's results.
struct ResultContext: RunRow {
  let run: RunNumber
  let started: Int64
  let identity: RunIdentity
  let channel: String?
  /// The number of results by outcome.
  let tally: OutcomeTally
  /// The rows of its results, if every number among them has one.
  let numbers: ClosedRange<Int64>?

  static func selection(in database: borrowing Database) -> String {
    """
    SELECT runs.id, started, id_high, id_low, apns_id, channel, accepted, rejected, skipped,
      deferred, unknown, not_attempted, state, last FROM runs JOIN progress ON progress.run = runs.id
    """
  }

  init(row: borrowing Statement) throws(HistoryError) {
    run = try RunNumber(row: row)
    started = try row.time(1)
    identity = RunIdentity(row: row, from: 2)
    channel = row.text(5)
    tally = try row.tally(from: 6)
    let last = try row.count(13)
    let isWhole = row.text(12) == RunState.finished.rawValue && last == tally.total && last > 0
    numbers = isWhole ? run.row(of: 1)...run.row(of: UInt64(last)) : nil
  }
}

extension Statement {
  /// An `apns-unique-id`: sixteen bytes are a UUID, any others are text.
  fileprivate func uniqueID(_ column: Int32) -> String? {
    if isNull(column) { return nil }
    let bytes = bytes(column)
    guard bytes.count == 16 else { return String(decoding: bytes, as: UTF8.self) }
    let hex = hexadecimal(bytes)
    var parts: [Substring] = []
    var rest = hex[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  }
}
