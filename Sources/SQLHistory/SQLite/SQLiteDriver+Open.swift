internal import CSQLite
internal import POSIX
internal import PushModel

extension SQLiteDriver {
  static func opens(_ location: HistoryLocation) -> Bool { location.file != nil }

  /// The file, and those of its write-ahead log.
  static func files(at location: HistoryLocation) -> [String] {
    ["", "-wal", "-shm"].map { location.text + $0 }
  }

  static func check(_ location: HistoryLocation) {}

  static func open(
    _ location: String, for purpose: OpeningPurpose, busyMilliseconds: Int
  ) throws(HistoryError) -> Database {
    if purpose != .making { try checkIsThere(location) }
    do throws(HistoryError) {
      return Database(try open(location, busyMilliseconds: busyMilliseconds))
    } catch {
      guard purpose == .reading, error.isAboutWriting else { throw error }
      return Database(
        try openWithoutWriting(location, busyMilliseconds: busyMilliseconds, after: error))
    }
  }

  /// Opens a history in a file, or creates an empty one. Missing folders and the file are created
  /// for the user alone.
  private static func open(
    _ path: String, busyMilliseconds: Int
  ) throws(HistoryError) -> SQLiteDriver {
    try checkLibrary()
    let file = HistoryFile(path: path)
    try file.prepare()
    let driver = try connect(path, busyMilliseconds: busyMilliseconds)
    try driver.checkOwner(path)
    file.makePrivate()
    try driver.harden()
    try driver.beginLogging(path)
    try SQLiteSchema.prepare(driver)
    return driver
  }

  /// - Throws: `HistoryError.missing`, or `empty` for a file without anything in it.
  private static func checkIsThere(_ path: String) throws(HistoryError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { throw HistoryError.missing(path: path) }
      throw HistoryError.cannotOpen(path: path, errno: errno)
    }
    if status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
      throw HistoryError.empty(path: path)
    }
  }

  private static func openWithoutWriting(
    _ path: String, busyMilliseconds: Int, after error: HistoryError
  ) throws(HistoryError) -> SQLiteDriver {
    let isAtRest = isAtRest(path, after: error)
    let driver = try connect(
      path, SQLITE_OPEN_READONLY, isAtRest: isAtRest, busyMilliseconds: busyMilliseconds)
    try driver.checkOwner(path)
    try driver.harden()
    if try driver.number("PRAGMA user_version") == 0 { throw HistoryError.empty(path: path) }
    return driver
  }

  /// Returns true if the file can be read as one that nobody writes to. Without a log nothing can
  /// change, and SQLite need not create the files that readers share. If there is no room for them,
  /// nobody can write to an empty log.
  private static func isAtRest(_ path: String, after error: HistoryError) -> Bool {
    var status = stat()
    guard stat(path + "-wal", &status) == 0 else { return true }
    if case .full = error { return status.st_size == 0 }
    return false
  }

  /// - Parameter version: SQLite's, as a number: 3.37.0 is 3037000.
  static func checkLibrary(_ version: Int32 = sqlite3_libversion_number()) throws(HistoryError) {
    // The first with STRICT tables. An older one would call a good history damaged.
    guard version < 3_037_000 else { return }
    let found = [version / 1_000_000, version / 1000 % 1000, version % 1000]
    throw .oldLibrary(found: found.map(String.init).joined(separator: "."), needed: "3.37")
  }

  private static func connect(
    _ path: String, _ mode: Int32 = SQLITE_OPEN_READWRITE, isAtRest: Bool = false,
    busyMilliseconds: Int
  ) throws(HistoryError) -> SQLiteDriver {
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(
      isAtRest ? "file:\(path.escapedForURI)?immutable=1" : path, &handle,
      mode | SQLITE_OPEN_NOMUTEX | (isAtRest ? SQLITE_OPEN_URI : 0), nil)
    guard let handle else { throw HistoryError.other(code: code) }
    let driver = SQLiteDriver(
      handle, busyMilliseconds: busyMilliseconds, isAtRest: isAtRest)
    guard code == SQLITE_OK else {
      throw HistoryError.cannotOpen(path: path, errno: sqlite3_system_errno(handle))
    }
    sqlite3_extended_result_codes(handle, 1)
    // Set first: even the change to WAL can meet another process.
    sqlite3_busy_timeout(handle, Int32(busyMilliseconds))
    PushTable.add(to: handle)
    return driver
  }

  /// The mark of histories that builds before the first release made: "fanf" in ASCII.
  private static let idBeforeRelease: Int32 = 0x6661_6E66

  /// Checks that the file is a history, before anything is changed in it.
  private func checkOwner(_ path: String) throws(HistoryError) {
    // In this order: another process that creates the tables meanwhile sets the mark with them.
    let isEmpty = try firstNumber("SELECT count(*) FROM sqlite_master", path) == 0
    let identity = Int32(truncatingIfNeeded: try number("PRAGMA application_id"))
    if identity == Self.idBeforeRelease { throw HistoryError.beforeRelease(path: path) }
    guard identity == Database.applicationID || identity == 0 && isEmpty else {
      throw HistoryError.foreign(path: path, applicationID: identity)
    }
    let version = try Int(number("PRAGMA user_version"))
    guard version >= 0 else { throw HistoryError.corrupt(path: path) }
    guard version <= HistoryTables.version else {
      throw HistoryError.newerSchema(path: path, found: version, known: HistoryTables.version)
    }
  }

  /// Reads a number. The first read of a file fails if it is not a database.
  private func firstNumber(_ sql: String, _ path: String) throws(HistoryError) -> Int64 {
    do throws(HistoryError) {
      return try number(sql)
    } catch .corrupt {
      let isDamaged = sqlite3_errcode(handle) & 0xFF != SQLITE_NOTADB
      throw isDamaged ? HistoryError.corrupt(path: path) : HistoryError.notDatabase(path: path)
    }
  }

  /// Hardens the connection: a history may come from another person, and nothing in it is executed
  /// or trusted.
  private func harden() throws(HistoryError) {
    for option in [SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION] {
      fanfare_sqlite_switch(handle, option, option == SQLITE_DBCONFIG_DEFENSIVE ? 1 : 0)
    }
    try execute("PRAGMA trusted_schema = OFF")
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA foreign_keys = ON")
  }

  /// Turns on the write-ahead log, so that readers do not block the writer and commits survive a
  /// power failure.
  private func beginLogging(_ path: String) throws(HistoryError) {
    if sqlite3_db_readonly(handle, "main") == 1 { throw HistoryError.readOnly }
    guard try switchToLog() == "wal" else {
      throw HistoryError.cannotOpen(path: path, errno: ENOTSUP)
    }
    try execute("PRAGMA synchronous = FULL")
    #if os(macOS)
    try execute("PRAGMA fullfsync = ON")
    try execute("PRAGMA checkpoint_fullfsync = ON")
    #endif
  }

  /// Switches to the log. Two processes that switch at once could wait for each other for ever, so
  /// SQLite does not wait here.
  private func switchToLog() throws(HistoryError) -> String? {
    let end = ContinuousClock.now + .milliseconds(busyMilliseconds)
    while true {
      do throws(HistoryError) {
        return try text("PRAGMA journal_mode = WAL")
      } catch .locked where ContinuousClock.now < end {
        sqlite3_sleep(2)
      }
    }
  }
}

extension HistoryError {
  /// True if the file may be readable nevertheless.
  fileprivate var isAboutWriting: Bool {
    switch self {
    case .readOnly, .disk, .full: true
    case .cannotOpen(_, let code): [EACCES, EPERM, EROFS].contains(code)
    default: false
    }
  }
}

extension String {
  /// The path escaped for an SQLite URI.
  fileprivate var escapedForURI: String {
    replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
  }
}

extension HistoryError {
  /// Creates the error for a failed call of SQLite.
  ///
  /// - Parameters:
  ///   - code: the result code, extended or not.
  ///   - busyMilliseconds: the time that the connection waits for others.
  ///   - path: the database's file.
  init(code: Int32, systemErrno: Int32 = 0, busyMilliseconds: Int, path: String) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(milliseconds: busyMilliseconds)
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(path: path)
    case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(systemErrno): self = .full
    case SQLITE_IOERR, SQLITE_CANTOPEN: self = .disk(code: code, errno: systemErrno)
    default: self = .other(code: code)
    }
  }
}
