package import PushModel

/// One prepared statement. Values reach it as bound parameters only.
///
/// Parameters are numbered from 1, columns from 0, as in SQLite.
package struct Statement: ~Copyable {
  private let driver: any DatabaseStatement

  /// Prepares a statement that will be used often.
  package init(_ sql: String, on database: borrowing Database) throws(HistoryError) {
    driver = try database.driver.prepare(sql)
  }

  /// Takes a statement over that is prepared.
  init(_ driver: any DatabaseStatement) { self.driver = driver }

  /// Goes to the next row; false at the end, where the statement is ready for its next use.
  package func step() throws(HistoryError) -> Bool { try driver.step() }

  /// What is to be said of a row that no version of this tool wrote. The statement lets go of it.
  package var corrupt: HistoryError {
    defer { reset() }
    return .corrupt(path: place)
  }

  /// The file or the server, as messages call it.
  package var place: String { driver.place }

  /// Runs a statement whose rows, if any, do not matter.
  package func run() throws(HistoryError) { try driver.run() }

  /// Lets go of the row it stands on; the next step starts anew.
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

  func bindNull(at parameter: Int32) { driver.bind(.null, at: parameter) }
}

// The columns of the row it stands on.
extension Statement {
  package func isNull(_ column: Int32) -> Bool { driver.isNull(column) }

  package func int64(_ column: Int32) -> Int64 { driver.int64(column) }

  package func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

  package func text(_ column: Int32) -> String? { driver.text(column) }

  /// The bytes of a blob or a text, valid until the next step.
  package func bytes(_ column: Int32) -> UnsafeRawBufferPointer { driver.bytes(column) }
}

// Numbers that are computed with. A value that no version of this tool writes is damage, and is refused
// here: behind this border no sum overflows.
extension Statement {
  /// - Throws: `HistoryError.corrupt` for a number outside of the range.
  package func int64(_ column: Int32, in range: ClosedRange<Int64>) throws(HistoryError) -> Int64 {
    let number = int64(column)
    guard range.contains(number) else { throw corrupt }
    return number
  }

  /// How many; none when it is NULL.
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

  /// The number of a row that has to be within bounds, neither of them included: the rows of a damaged
  /// table need not be in order, and reading them page by page might never end.
  package func row(
    _ column: Int32 = 0, after low: Int64, before high: Int64 = .max
  ) throws(HistoryError) -> Int64 {
    let row = int64(column)
    guard low < row, row < high else { throw corrupt }
    return row
  }
}

extension ClosedRange<Int64> {
  /// As many as a run can have pushes.
  package static var counts: Self { 0...Int64(RunNumber.lastSequence) }

  /// 35,000 years to both sides.
  package static var times: Self { -1 << 50...1 << 50 }
}
