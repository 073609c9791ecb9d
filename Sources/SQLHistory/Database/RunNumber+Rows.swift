package import PushModel

extension RunNumber {
  /// The bits of a result's row id that hold the push's sequence number; the run is above them.
  package static let sequenceBits: Int64 = 40

  /// The highest sequence number that a row id can hold.
  package static let lastSequence: UInt64 = 1 << UInt64(sequenceBits) - 1

  /// The row id of a push's result.
  package func row(of sequence: UInt64) -> Int64 { rawValue << Self.sequenceBits | Int64(sequence) }

  /// The row ids that the results of this run can have.
  package var rows: ClosedRange<Int64> { row(of: 0)...row(of: Self.lastSequence) }

  /// In SQL, for a row of `runs`: the bounds for BETWEEN of the row ids that its pushes can have.
  package static let rowsOfRun =
    "runs.id << \(sequenceBits) AND (runs.id + 1 << \(sequenceBits)) - 1"

  /// Reads the number of a run.
  ///
  /// - Throws: `HistoryError.corrupt` for a number that no run has.
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
  /// The run that a statement without values selects; nil when it selects none.
  func run(_ sql: String) throws(HistoryError) -> RunNumber? {
    let statement = try Statement(sql, on: self)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return try RunNumber(row: statement)
  }
}
