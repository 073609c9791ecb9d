package import PushModel

/// A prepared statement. Values are passed as bound parameters only.
///
/// Parameters are numbered from 1, columns from 0, as in SQLite.
package struct Statement: ~Copyable {
  private let driver: any DatabaseStatement

  /// Prepares a statement for repeated use.
  package init(_ sql: String, on database: borrowing Database) throws(HistoryError) {
    driver = try database.driver.prepare(sql)
  }

  /// Takes over a prepared statement.
  init(_ driver: any DatabaseStatement) { self.driver = driver }

  /// Advances to the next row; false at the end, after which the statement can be used again.
  package func step() throws(HistoryError) -> Bool { try driver.step() }

  /// The error for a row that no version of this tool wrote. The statement releases the row.
  package var corrupt: HistoryError {
    defer { reset() }
    return .corrupt(path: place)
  }

  /// The name of the file or server in messages.
  package var place: String { driver.place }

  /// Runs the statement and ignores its rows.
  package func run() throws(HistoryError) { try driver.run() }

  /// Releases the current row; the next step starts from the beginning.
  package func reset() { driver.reset() }
}

// Binding.
extension Statement {
  package func bind(_ value: Int64?, at parameter: Int32) {
    driver.bind(.int64(value), at: parameter)
  }

  package func bind(_ value: Int?, at parameter: Int32) {
    bind(value.map { Int64($0) }, at: parameter)
  }

  package func bind(_ text: String?, at parameter: Int32) {
    driver.bind(.text(text), at: parameter)
  }

  /// Binds numbers for ``Dialect/idIsAmong``.
  package func bind(_ numbers: [Int64], at parameter: Int32) {
    driver.bind(.numbers(numbers), at: parameter)
  }

  package func bind(_ bytes: [UInt8]?, at parameter: Int32) {
    driver.bind(.bytes(bytes), at: parameter)
  }

  func bind(_ value: StatementParameter, at parameter: Int32) { driver.bind(value, at: parameter) }
}

// The columns of the current row.
extension Statement {
  package func isNull(_ column: Int32) -> Bool { driver.isNull(column) }

  package func int64(_ column: Int32) -> Int64 { driver.int64(column) }

  package func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

  package func text(_ column: Int32) -> String? { driver.text(column) }

  /// The bytes of a blob or a text, valid until the next step.
  package func bytes(_ column: Int32) -> UnsafeRawBufferPointer { driver.bytes(column) }
}

// Numbers used in calculations. Values that no version of this tool writes are rejected here as
// damage, so that no later sum overflows.
extension Statement {
  /// - Throws: `HistoryError.corrupt` for a number outside of the range.
  package func int64(_ column: Int32, in range: ClosedRange<Int64>) throws(HistoryError) -> Int64 {
    let number = int64(column)
    guard range.contains(number) else { throw corrupt }
    return number
  }

  /// A count; 0 for NULL.
  package func count(_ column: Int32) throws(HistoryError) -> Int {
    Int(try int64(column, in: .counts))
  }

  package func optionalCount(_ column: Int32) throws(HistoryError) -> Int? {
    isNull(column) ? nil : try count(column)
  }

  /// A time in milliseconds, or a difference of two.
  package func time(_ column: Int32) throws(HistoryError) -> Int64 { try int64(column, in: .times) }

  package func optionalTime(_ column: Int32) throws(HistoryError) -> Int64? {
    isNull(column) ? nil : try time(column)
  }

  /// The number of a row, which must be strictly within the bounds: the rows of a damaged table may
  /// be out of order, and reading them page by page might never end.
  package func row(
    _ column: Int32 = 0, after low: Int64, before high: Int64 = .max
  ) throws(HistoryError) -> Int64 {
    let row = int64(column)
    guard low < row, row < high else { throw corrupt }
    return row
  }
}

// Counts by outcome, and of the lists' lines, in the order of their columns.
extension Statement {
  package func bind(_ tally: OutcomeTally, from first: Int32) {
    for outcome in Outcome.allCases { bind(tally[outcome], at: first + Int32(outcome.code)) }
  }

  package func bind(_ counts: RecipientCounts, from first: Int32) {
    let lines = [
      counts.lines, counts.badLines, counts.duplicates, counts.suppressed, counts.otherShards,
    ]
    for (index, count) in lines.enumerated() { bind(count, at: first + Int32(index)) }
  }

  func tally(from first: Int32) throws(HistoryError) -> OutcomeTally {
    var tally = OutcomeTally()
    for outcome in Outcome.allCases {
      tally.add(try count(first + Int32(outcome.code)), to: outcome)
    }
    return tally
  }
}

extension ClosedRange<Int64> {
  /// The possible numbers of pushes in a run.
  package static var counts: Self { 0...Int64(RunNumber.lastSequence) }

  /// The times within 35,000 years of 1970.
  package static var times: Self { -1 << 50...1 << 50 }
}
