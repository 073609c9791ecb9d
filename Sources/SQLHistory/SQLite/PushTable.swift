internal import CSQLite
internal import PushModel

/// The table-valued function `pushes(low, high)`: the rows of `results` and, unpacked, of `accepted`
/// whose numbers are within the bounds, in order. All SQL about results goes through it. PostgreSQL has
/// a function of the same name.
///
/// It is one of SQLite's eponymous virtual tables: a connection has it once the module is added. The
/// bounds are hidden columns; leaving one out leaves that side unbounded.
/// SQLite calls it on the thread that uses the connection.
package final class PushTable {
  /// The function's arguments: hidden columns that follow those of a row.
  enum Bound: CaseIterable {
    case low, high

    var place: Int32 { Int32(ResultColumn.all.count) + (self == .low ? 0 : 1) }
  }

  /// The table's declaration. `SELECT *` omits hidden columns.
  static let declaration = """
    CREATE TABLE pushes (\(ResultColumn.all.map(\.rawValue).joined(separator: ", ")),
      low HIDDEN, high HIDDEN)
    """

  private let connection: OpaquePointer
  /// To prepare the statements of a cursor takes longer than to find a push.
  private var idle: [PushQuery: [PushCursor]] = [:]

  init(on connection: OpaquePointer) { self.connection = connection }

  /// A cursor for a query, to be given back.
  func cursor(_ query: PushQuery) throws(HistoryError) -> PushCursor {
    if let cursor = idle[query]?.popLast() { return cursor }
    return try PushCursor(query, on: connection)
  }

  /// Keeps a cursor for the next time.
  func keep(_ cursor: PushCursor) {
    cursor.end()
    idle[cursor.query, default: []].append(cursor)
  }

  /// What SQLite has to be told of a failure.
  func code(_ error: HistoryError) -> Int32 {
    if case .corrupt = error { return SQLITE_CORRUPT }
    let code = sqlite3_extended_errcode(connection)
    return code == SQLITE_OK || code == SQLITE_ROW ? SQLITE_ERROR : code
  }
}

/// What SQLite asks of the table: the bounds it passes, the columns and the order.
struct PushQuery: Hashable {
  /// The number that stands for it between SQLite's planning and its asking.
  let number: Int32

  private typealias Bound = PushTable.Bound

  private static let isDescending: Int32 = 4
  private static let columnShift: Int32 = 3

  init(number: Int32) { self.number = number }

  var isDescending: Bool { number & Self.isDescending != 0 }

  /// What is selected for each column: nothing for one that is not wanted.
  var selection: String {
    ResultColumn.all.enumerated().map { place, column in
      let isWanted = number >> (Self.columnShift + Int32(place)) & 1 != 0
      return column == .id || isWanted ? column.rawValue : "NULL"
    }.joined(separator: ", ")
  }

  /// The rows that are asked for.
  ///
  /// - Parameter values: the bounds that SQLite passes, in order.
  func rows(_ values: [Int64]) -> ClosedRange<Int64>? {
    var rest = values[...]
    let low = number & Bound.low.flag != 0 ? rest.popFirst() ?? 0 : 0
    let high = number & Bound.high.flag != 0 ? rest.popFirst() ?? .max : .max
    return low <= high ? low...high : nil
  }

  /// Plans a query, and tells SQLite of it.
  ///
  /// - Returns: false if a bound would not be known in time.
  static func plan(_ info: inout sqlite3_index_info) -> Bool {
    let columns = info.colUsed & (1 << UInt64(ResultColumn.all.count) - 1)
    var number = Int32(columns) << columnShift
    var arguments: Int32 = 0
    for bound in Bound.allCases {
      guard let constraint = constraint(bound, in: info) else { continue }
      guard info.aConstraint[constraint].usable != 0 else { return false }
      arguments += 1
      number |= bound.flag
      info.aConstraintUsage[constraint].argvIndex = arguments
      info.aConstraintUsage[constraint].omit = 1
    }
    // The column `id` is the first; the number of a row is -1.
    if info.nOrderBy == 1, info.aOrderBy[0].iColumn <= 0 {
      info.orderByConsumed = 1
      if info.aOrderBy[0].desc != 0 { number |= isDescending }
    }
    info.idxNum = number
    info.estimatedRows = arguments == 2 ? 10_000 : 1_000_000
    info.estimatedCost = Double(info.estimatedRows)
    return true
  }

  /// The place of the constraint that gives a bound.
  private static func constraint(_ bound: Bound, in info: sqlite3_index_info) -> Int? {
    (0..<Int(info.nConstraint)).first {
      info.aConstraint[$0].iColumn == bound.place
        && Int32(info.aConstraint[$0].op) == SQLITE_INDEX_CONSTRAINT_EQ
    }
  }
}

extension PushTable.Bound {
  fileprivate var flag: Int32 { self == .low ? 1 : 2 }
}
