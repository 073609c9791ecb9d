internal import APNS
internal import PushModel

extension RunRecord {
  /// Puts a new run into the history, within the caller's transaction.
  func insert(into database: borrowing Database) throws(HistoryError) -> RunNumber {
    let statement = try Statement(Self.insertion, on: database)
    statement.bind(RunState.running.rawValue, at: 1)
    bindOrigin(to: statement)
    bindNotification(to: statement)
    bindResumption(to: statement)
    try statement.run()
    guard let run = RunNumber(rawValue: database.lastRow) else { throw HistoryError.full }
    try database.execute("INSERT INTO progress (run) VALUES (\(run))")
    return run
  }

  private static let insertion = """
    INSERT INTO runs (state, started, kind, environment, server, version, scenario, step, push_type,
      topic, headers, payload, variables, settings, at_most_once, id_high, id_low, apns_id,
      expiration) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private func bindOrigin(to statement: borrowing Statement) {
    statement.bind(started, at: 2)
    statement.bind(kind.rawValue, at: 3)
    statement.bind(environment, at: 4)
    statement.bind(server, at: 5)
    statement.bind(version, at: 6)
    statement.bind(scenario, at: 7)
    statement.bind(step, at: 8)
  }

  private func bindNotification(to statement: borrowing Statement) {
    statement.bind(pushType, at: 9)
    statement.bind(topic, at: 10)
    statement.bind(headers, at: 11)
    statement.bind(payload, at: 12)
    statement.bind(variables, at: 13)
  }

  private func bindResumption(to statement: borrowing Statement) {
    statement.bind(settings, at: 14)
    statement.bind(atMostOnce ? 1 : 0, at: 15)
    statement.bind(Int64(bitPattern: identity.bits.high), at: 16)
    statement.bind(Int(identity.bits.low), at: 17)
    statement.bind(identity.given?.description, at: 18)
    statement.bind(expiration, at: 19)
  }

  /// The columns of `runs` that ``init(row:from:)`` reads.
  static let columns = """
    started, environment, version, id_high, id_low, apns_id, kind, server, scenario, step,
      push_type, topic, headers, payload, variables, settings, at_most_once, expiration
    """

  /// Reads a run; nil when the history does not hold it.
  static func read(
    _ run: RunNumber, from database: borrowing Database
  ) throws(HistoryError) -> RunRecord? {
    let statement = try Statement("SELECT \(columns) FROM runs WHERE id = ?", on: database)
    statement.bind(run.rawValue, at: 1)
    guard try statement.step() else { return nil }
    return RunRecord(row: statement, from: 0)
  }

  /// - Parameter first: the first of the ``columns``.
  init(row: borrowing Statement, from first: Int32) {
    self.init(
      started: row.int64(first), environment: row.text(first + 1) ?? "",
      version: row.text(first + 2) ?? "", identity: RunIdentity(row: row, from: first + 3))
    kind = RunKind(rawValue: row.text(first + 6) ?? "")
    server = row.text(first + 7)
    scenario = row.text(first + 8)
    step = row.optionalInt64(first + 9).map { Int($0) }
    pushType = row.text(first + 10)
    topic = row.text(first + 11)
    headers = row.text(first + 12) ?? "{}"
    payload = row.text(first + 13) ?? ""
    variables = row.text(first + 14) ?? "{}"
    settings = row.text(first + 15) ?? "{}"
    atMostOnce = row.int64(first + 16) != 0
    expiration = row.optionalInt64(first + 17)
  }
}

extension RunIdentity {
  /// - Parameter first: the first of `id_high`, `id_low` and `apns_id`.
  init(row: borrowing Statement, from first: Int32) {
    let high = UInt64(bitPattern: row.int64(first))
    let low = UInt16(truncatingIfNeeded: row.int64(first + 1))
    self.init(
      given: row.text(first + 2).flatMap { APNSID($0) }, bits: APNSID.RunBits(high, low))
  }
}
