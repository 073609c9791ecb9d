internal import CSQLite
internal import PushModel

// What SQLite calls. Behind its own parts, the table and the cursors have pointers to ours.
extension PushTable {
  /// Adds the table to a connection.
  package static func add(to connection: OpaquePointer) {
    sqlite3_create_module_v2(connection, "pushes", module, nil, nil)
  }

  // Written once, before anybody reads it.
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

  /// Does something with a cursor.
  ///
  /// - Returns: what SQLite has to be told.
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

  /// The table that it is on.
  fileprivate var table: PushTable {
    Unmanaged<PushTable>.fromOpaque(pointee.pVtab.whole.pointee.table).takeUnretainedValue()
  }

  /// Nil before it was begun.
  fileprivate var ours: PushCursor? {
    whole.pointee.cursor.map { Unmanaged<PushCursor>.fromOpaque($0).takeUnretainedValue() }
  }
}
