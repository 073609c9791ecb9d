internal import CSQLite
internal import PushModel

/// The table-valued function `pushes(low, high)`: the rows of `results` and, unpacked, of `accepted`
/// whose numbers are within the bounds, in order. All SQL about results goes through it. PostgreSQL has
/// a function of the same name.
///
/// It is an eponymous virtual table of SQLite: a connection has it once the module is added. The
/// bounds are hidden columns; omitting one leaves that side unbounded. SQLite calls it on the
/// thread that uses the connection.
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
  /// The idle cursors, kept because preparing a cursor's statements takes longer than finding a
  /// push.
  private var idle: [PushQuery: [PushCursor]] = [:]

  init(on connection: OpaquePointer) { self.connection = connection }

  /// Returns a cursor for a query, which must be returned with ``keep(_:)``.
  func cursor(_ query: PushQuery) throws(HistoryError) -> PushCursor {
    if let cursor = idle[query]?.popLast() { return cursor }
    return try PushCursor(query, on: connection)
  }

  /// Keeps a cursor for reuse.
  func keep(_ cursor: PushCursor) {
    cursor.end()
    idle[cursor.query, default: []].append(cursor)
  }

  /// Returns SQLite's code for a failure.
  func code(_ error: HistoryError) -> Int32 {
    if case .corrupt = error { return SQLITE_CORRUPT }
    let code = sqlite3_extended_errcode(connection)
    return code == SQLITE_OK || code == SQLITE_ROW ? SQLITE_ERROR : code
  }
}

/// A query of SQLite on the table: the bounds it passes, the columns and the order.
struct PushQuery: Hashable {
  /// The number that represents it between planning and execution.
  let number: Int32

  private typealias Bound = PushTable.Bound

  private static let isDescending: Int32 = 4
  private static let columnShift: Int32 = 3

  init(number: Int32) { self.number = number }

  var isDescending: Bool { number & Self.isDescending != 0 }

  /// The selected expressions; columns that are not wanted are replaced by NULL.
  var selection: String {
    ResultColumn.all.enumerated().map { place, column in
      let isWanted = number >> (Self.columnShift + Int32(place)) & 1 != 0
      return column == .id || isWanted ? column.rawValue : "NULL"
    }.joined(separator: ", ")
  }

  /// The requested rows.
  ///
  /// - Parameter values: the bounds that SQLite passes, in order.
  func rows(_ values: [Int64]) -> ClosedRange<Int64>? {
    var rest = values[...]
    let low = number & Bound.low.flag != 0 ? rest.popFirst() ?? 0 : 0
    let high = number & Bound.high.flag != 0 ? rest.popFirst() ?? .max : .max
    return low <= high ? low...high : nil
  }

  /// Plans a query, and passes SQLite the plan.
  ///
  /// - Returns: false if a bound would not be available in time.
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

  /// The index of the constraint that gives a bound.
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

// Callbacks of SQLite. After SQLite's own fields, the table and the cursors have pointers to ours.
extension PushTable {
  /// Adds the table to a connection.
  package static func add(to connection: OpaquePointer) {
    sqlite3_create_module_v2(connection, "pushes", module, nil, nil)
  }

  // Written once, before any use.
  nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
    var module = sqlite3_module()
    module.xConnect = { connection, _, _, _, table, _ in connect(connection, table) }
    module.xDisconnect = { disconnect($0) }
    module.xBestIndex = { _, info in
      guard let info else { return SQLITE_MISUSE }
      return PushQuery.plan(&info.pointee) ? SQLITE_OK : SQLITE_CONSTRAINT
    }
    module.xOpen = { _, cursor in open(cursor) }
    module.xClose = { close($0) }
    module.xFilter = {
      begin(
        $0, PushQuery(number: $1),
        (0..<Int($3)).map { [values = $4] in
          sqlite3_value_int64(values?[$0])
        })
    }
    module.xNext = { next($0) }
    module.xEof = { $0?.ours?.isAtEnd ?? true ? 1 : 0 }
    module.xColumn = { cursor, context, column in
      cursor?.ours?.give(column, to: context)
      return SQLITE_OK
    }
    module.xRowid = { cursor, row in
      row?.pointee = cursor?.ours?.number ?? 0
      return SQLITE_OK
    }
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    pointer.initialize(to: module)
    return UnsafePointer(pointer)
  }()

  private static func connect(
    _ connection: OpaquePointer?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    guard let connection else { return SQLITE_MISUSE }
    let code = sqlite3_declare_vtab(connection, declaration)
    guard code == SQLITE_OK else { return code }
    let table = UnsafeMutablePointer<fanfare_sqlite_table>.allocate(capacity: 1)
    table.initialize(to: fanfare_sqlite_table())
    table.pointee.table = Unmanaged.passRetained(PushTable(on: connection)).toOpaque()
    result?.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  private static func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    guard let table else { return SQLITE_OK }
    Unmanaged<PushTable>.fromOpaque(table.whole.pointee.table).release()
    table.whole.deallocate()
    return SQLITE_OK
  }

  private static func open(
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
  ) -> Int32 {
    let cursor = UnsafeMutablePointer<fanfare_sqlite_cursor>.allocate(capacity: 1)
    cursor.initialize(to: fanfare_sqlite_cursor())
    result?.pointee = UnsafeMutableRawPointer(cursor)
      .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  private static func close(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    guard let cursor else { return SQLITE_OK }
    giveBack(cursor)
    cursor.whole.deallocate()
    return SQLITE_OK
  }

  private static func giveBack(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) {
    guard let ours = cursor.whole.pointee.cursor else { return }
    cursor.table.keep(Unmanaged<PushCursor>.fromOpaque(ours).takeRetainedValue())
    cursor.whole.pointee.cursor = nil
  }

  private static func begin(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ query: PushQuery, _ values: [Int64]
  ) -> Int32 {
    attempt(cursor) { (cursor, table) throws(HistoryError) in
      giveBack(cursor)
      let ours = try table.cursor(query)
      cursor.whole.pointee.cursor = Unmanaged.passRetained(ours).toOpaque()
      try ours.begin(query.rows(values))
    }
  }

  private static func next(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    attempt(cursor) { (cursor, _) throws(HistoryError) in try cursor.ours?.next() }
  }

  /// Performs an operation on a cursor.
  ///
  /// - Returns: SQLite's result code.
  private static func attempt(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?,
    _ body: (UnsafeMutablePointer<sqlite3_vtab_cursor>, PushTable) throws(HistoryError) -> Void
  ) -> Int32 {
    guard let cursor else { return SQLITE_MISUSE }
    let table = cursor.table
    do throws(HistoryError) {
      try body(cursor, table)
      return SQLITE_OK
    } catch {
      return table.code(error)
    }
  }
}

extension UnsafeMutablePointer<sqlite3_vtab> {
  fileprivate var whole: UnsafeMutablePointer<fanfare_sqlite_table> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: fanfare_sqlite_table.self)
  }
}

extension UnsafeMutablePointer<sqlite3_vtab_cursor> {
  fileprivate var whole: UnsafeMutablePointer<fanfare_sqlite_cursor> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: fanfare_sqlite_cursor.self)
  }

  /// The table of the cursor.
  fileprivate var table: PushTable {
    Unmanaged<PushTable>.fromOpaque(pointee.pVtab.whole.pointee.table).takeUnretainedValue()
  }

  /// Our cursor; nil before it was opened.
  fileprivate var ours: PushCursor? {
    whole.pointee.cursor.map { Unmanaged<PushCursor>.fromOpaque($0).takeUnretainedValue() }
  }
}
