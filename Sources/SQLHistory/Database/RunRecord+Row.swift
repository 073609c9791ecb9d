internal import APNS
package import PushModel

/// A column of `runs` that is written when a run begins, with the property of ``RunRecord`` that it
/// stores.
///
/// A new column of a run needs a line in ``HistoryTables``, a property, and a row here.
private struct StoredField: Sendable {
  let name: String
  let bind: @Sendable (RunRecord, borrowing Statement, Int32) -> Void
  let read: @Sendable (inout RunRecord, borrowing Statement, Int32) throws(HistoryError) -> Void

  static let all: [Self] = [
    .integer("started", \.started, in: .times), .text("kind", \.kindWord),
    .text("environment", \.environment),
    .text("server", \.server), .text("version", \.version), .text("scenario", \.scenario),
    .integer("step", \.stepNumber, in: .counts), .text("push_type", \.pushType),
    .text("topic", \.topic),
    .text("headers", \.headers), .text("payload", \.payload), .text("variables", \.variables),
    .text("settings", \.settings), .integer("at_most_once", \.atMostOnceNumber),
    .integer("id_high", \.identityHigh), .integer("id_low", \.identityLow),
    .text("apns_id", \.givenID), .integer("expiration", \.expiration),
    .integer("resends", \.resendsNumber), .text("channel", \.channel),
  ]

  private typealias Path<Value> = any WritableKeyPath<RunRecord, Value> & Sendable

  private static func text(_ name: String, _ path: Path<String>) -> Self {
    Self(name: name) {
      $1.bind($0[keyPath: path], at: $2)
    } read: {
      $0[keyPath: path] = $1.text($2) ?? ""
    }
  }

  private static func text(_ name: String, _ path: Path<String?>) -> Self {
    Self(name: name) {
      $1.bind($0[keyPath: path], at: $2)
    } read: {
      $0[keyPath: path] = $1.text($2)
    }
  }

  private static func integer(
    _ name: String, _ path: Path<Int64>, in range: ClosedRange<Int64> = .any
  ) -> Self {
    Self(name: name) {
      $1.bind($0[keyPath: path], at: $2)
    } read: { record, row, column throws(HistoryError) in
      record[keyPath: path] = try row.int64(column, in: range)
    }
  }

  private static func integer(
    _ name: String, _ path: Path<Int64?>, in range: ClosedRange<Int64> = .any
  ) -> Self {
    Self(name: name) {
      $1.bind($0[keyPath: path], at: $2)
    } read: { record, row, column throws(HistoryError) in
      record[keyPath: path] = row.isNull(column) ? nil : try row.int64(column, in: range)
    }
  }
}

extension RunRecord {
  /// The columns of `runs` that ``init(row:from:)`` reads.
  static let columns = StoredField.all.map(\.name).joined(separator: ", ")

  private static let insertion = """
    INSERT INTO runs (state, \(columns))
      VALUES (?\(String(repeating: ", ?", count: StoredField.all.count))) RETURNING id
    """

  /// Inserts a new run, within the caller's transaction.
  package func insert(
    _ state: RunState = .running, into database: borrowing Database
  ) throws(HistoryError) -> RunNumber {
    let statement = try Statement(Self.insertion, on: database)
    statement.bind(state.rawValue, at: 1)
    for (index, column) in StoredField.all.enumerated() {
      column.bind(self, statement, Int32(index + 2))
    }
    let hasRow = try statement.step()
    guard hasRow, let run = RunNumber(rawValue: statement.int64(0)) else { throw HistoryError.full }
    statement.reset()
    try database.execute("INSERT INTO progress (run) VALUES (\(run))")
    return run
  }

  /// Reads a run; nil if the history does not contain it.
  package static func read(
    _ run: RunNumber, from database: borrowing Database
  ) throws(HistoryError) -> RunRecord? {
    let statement = try Statement("SELECT \(columns) FROM runs WHERE id = ?", on: database)
    statement.bind(run.rawValue, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try RunRecord(row: statement, from: 0)
  }

  /// - Parameter first: the first of the ``columns``.
  init(row: borrowing Statement, from first: Int32) throws(HistoryError) {
    self.init(
      started: 0, environment: "", version: "", identity: RunIdentity(given: nil, high: 0, low: 0))
    for (index, column) in StoredField.all.enumerated() {
      try column.read(&self, row, first + Int32(index))
    }
  }
}

extension ClosedRange<Int64> {
  /// The range of values that are not used in calculations.
  fileprivate static var any: Self { .min ... .max }
}

// Values as their columns have them.
extension RunRecord {
  fileprivate var kindWord: String {
    get { kind.rawValue }
    set { kind = RunKind(rawValue: newValue) }
  }

  fileprivate var stepNumber: Int64? {
    get { step.map { Int64($0) } }
    set { step = newValue.map { Int($0) } }
  }

  fileprivate var resendsNumber: Int64? {
    get { resends?.rawValue }
    set { resends = newValue.flatMap { RunNumber(rawValue: $0) } }
  }

  fileprivate var atMostOnceNumber: Int64 {
    get { atMostOnce ? 1 : 0 }
    set { atMostOnce = newValue != 0 }
  }

  fileprivate var identityHigh: Int64 {
    get { Int64(bitPattern: identity.bits.high) }
    set { identity = RunIdentity(given: givenID, high: newValue, low: identityLow) }
  }

  fileprivate var identityLow: Int64 {
    get { Int64(identity.bits.low) }
    set { identity = RunIdentity(given: givenID, high: identityHigh, low: newValue) }
  }

  fileprivate var givenID: String? {
    get { identity.given?.description }
    set { identity = RunIdentity(given: newValue, high: identityHigh, low: identityLow) }
  }
}

extension RunIdentity {
  fileprivate init(given: String?, high: Int64, low: Int64) {
    self.init(
      given: given.flatMap { APNSID($0) },
      bits: APNSID.RunBits(UInt64(bitPattern: high), UInt16(truncatingIfNeeded: low)))
  }

  /// - Parameter first: the first of `id_high`, `id_low` and `apns_id`.
  init(row: borrowing Statement, from first: Int32) {
    self.init(given: row.text(first + 2), high: row.int64(first), low: row.int64(first + 1))
  }
}

extension RunNumber {
  /// The bits of a result's row id that hold the push's sequence number; the run is above them.
  package static let sequenceBits: Int64 = 40

  /// The highest sequence number that a row id can hold.
  package static let lastSequence: UInt64 = 1 << UInt64(sequenceBits) - 1

  /// The row id of a push's result.
  package func row(of sequence: UInt64) -> Int64 { rawValue << Self.sequenceBits | Int64(sequence) }

  /// The possible row ids of this run's results.
  package var rows: ClosedRange<Int64> { row(of: 0)...row(of: Self.lastSequence) }

  /// An SQL expression for a row of `runs`: the bounds for BETWEEN of the row ids of its pushes.
  package static let rowsOfRun =
    "runs.id << \(sequenceBits) AND (runs.id + 1 << \(sequenceBits)) - 1"

  /// Reads the number of a run.
  ///
  /// - Throws: `HistoryError.corrupt` for a number that no run can have.
  package init(row: borrowing Statement, _ column: Int32 = 0) throws(HistoryError) {
    guard let number = RunNumber(rawValue: row.int64(column)) else { throw row.corrupt }
    self = number
  }

  /// The sequence number in a row id.
  package static func sequence(ofRow row: Int64) -> UInt64 {
    UInt64(row & (1 << sequenceBits - 1))
  }
}

extension Database {
  /// The run that a statement without parameters selects; nil if it selects none.
  func run(_ sql: String) throws(HistoryError) -> RunNumber? {
    let statement = try Statement(sql, on: self)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return try RunNumber(row: statement)
  }
}
