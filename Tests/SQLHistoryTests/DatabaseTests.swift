import Foundation
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("The history's database")
struct DatabaseTests {
  private let folder: KeptFolder
  private let path: String

  init() throws {
    folder = try KeptFolder()
    path = folder.path(of: "history.sqlite")
  }

  private func mode(_ path: String) -> Int32? {
    var status = stat()
    return stat(path, &status) == 0 ? Int32(status.st_mode & 0o777) : nil
  }

  @Test("is made with its folders, for its user alone")
  func modes() throws {
    let path = folder.path(of: "state/fanfare/history.sqlite")
    let database = try Database.open(path)
    try database.execute("INSERT INTO reasons (word) VALUES ('x')")
    #expect(["", "-wal", "-shm"].map { mode(path + $0) } == [0o600, 0o600, 0o600])
    #expect(mode(folder.path(of: "state")) == 0o700)
    #expect(mode(folder.path(of: "state/fanfare")) == 0o700)
  }

  @Test("syncs the parent of each folder that it makes, in case of a power failure")
  func syncedFolders() throws {
    var synced: [String] = []
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "there"), withIntermediateDirectories: false)
    let path = folder.path(of: "there/state/fanfare/history.sqlite")
    try HistoryFile(path: path) { synced.append($0) }.prepare()
    #expect(synced == [folder.path(of: "there"), folder.path(of: "there/state")])
    try HistoryFile(path: path) { synced.append($0) }.prepare()
    #expect(synced.count == 2)
  }

  @Test("is taken away from group and others when they could read it")
  func tightened() throws {
    do { _ = try Database.open(path) }
    chmod(path, 0o644)
    _ = try Database.open(path)
    #expect(mode(path) == 0o600)
  }

  @Test(
    "has its safe settings",
    arguments: [
      ("busy_timeout", 5000), ("synchronous", 2), ("foreign_keys", 1), ("trusted_schema", 0),
      ("cell_size_check", 1), ("application_id", 0x6661_6E68),
      ("user_version", Int64(HistoryTables.version)),
    ] as [(String, Int64)])
  func settings(name: String, value: Int64) throws {
    #expect(try Database.open(path).number("PRAGMA \(name)") == value)
  }

  @Test("writes ahead, lets nobody write its schema's pages, and loads no code")
  func defences() throws {
    let database = try Database.open(path)
    let mode = try Statement("PRAGMA journal_mode", on: database)
    #expect(try mode.step())
    #expect(mode.text(0) == "wal")
    mode.reset()
    try database.execute("PRAGMA writable_schema = ON")
    #expect(throws: HistoryError.self) {
      try Database.open(path).execute("UPDATE sqlite_master SET sql = ''")
    }
    #expect(throws: HistoryError.self) {
      try Database.open(path).execute("SELECT load_extension('libm')")
    }
  }

  @Test("does not overwrite a file that is no database")
  func notDatabase() throws {
    let text = String(repeating: "Dear diary, ", count: 100)
    let path = try folder.file("diary.txt", text)
    #expect(throws: HistoryError.notDatabase(path: path)) { _ = try Database.open(path) }
    #expect(try folder.bytes("diary.txt") == Array(text.utf8))
  }

  @Test("leaves the databases of other programs alone")
  func foreign() throws {
    try other("PRAGMA application_id = 7")
    chmod(path, 0o664)
    #expect(throws: HistoryError.foreign(path: path, applicationID: 7)) {
      _ = try Database.open(path)
    }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o664)
  }

  @Test("leaves a database without a mark alone when it has tables")
  func unmarked() throws {
    try other("CREATE TABLE recipes (name)")
    #expect(throws: HistoryError.foreign(path: path, applicationID: 0)) {
      _ = try Database.open(path)
    }
  }

  @Test("refuses what a newer version wrote")
  func newer() throws {
    do { try Database.open(path).execute("PRAGMA user_version = 99") }
    #expect(throws: HistoryError.newerSchema(path: path, found: 99, known: HistoryTables.version)) {
      _ = try Database.open(path)
    }
  }

  @Test("refuses what a build before the first release wrote, and leaves it as it is")
  func beforeRelease() throws {
    do { try Database.open(path).execute("PRAGMA application_id = \(0x6661_6E66)") }
    let before = try folder.bytes("history.sqlite")
    #expect(throws: HistoryError.beforeRelease(path: path)) { _ = try Database.open(path) }
    #expect(throws: HistoryError.beforeRelease(path: path)) { _ = try HistoryReader(path) }
    #expect(try folder.bytes("history.sqlite") == before)
  }

  @Test(
    "refuses an SQLite without STRICT tables before it touches a file",
    arguments: [(3_034_001, "3.34.1"), (3_036_000, "3.36.0"), (3_037_000, nil), (3_050_004, nil)])
  func oldLibrary(version: Int32, found: String?) {
    let error = found.map { HistoryError.oldLibrary(found: $0, needed: "3.37") }
    do throws(HistoryError) {
      try SQLiteDriver.checkLibrary(version)
      #expect(error == nil)
    } catch let thrown {
      #expect(thrown == error)
    }
  }

  @Test("takes an empty file")
  func empty() throws {
    let version = try Database.open(folder.file("history.sqlite", "")).number("PRAGMA user_version")
    #expect(version == Int64(HistoryTables.version))
  }

  @Test(
    "tells why it cannot be opened",
    arguments: [("", EISDIR), ("/file/history.sqlite", ENOTDIR), ("/pipe", -1)])
  func cannotOpen(name: String, code: Int32) throws {
    _ = try folder.file("file", "")
    mkfifo(folder.path(of: "pipe"), 0o600)
    let path = folder.path + name
    let error: HistoryError =
      code == -1 ? .notDatabase(path: path) : .cannotOpen(path: path, errno: code)
    #expect(throws: error) { _ = try Database.open(path) }
  }

  @Test("a folder that may not be written to is told by its name", .enabled(if: getuid() != 0))
  func lockedFolder() throws {
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    #expect(throws: HistoryError.cannotOpen(path: path, errno: EACCES)) {
      _ = try Database.open(path)
    }
  }

  @Test("a damaged file is found out")
  func damaged() throws {
    do { _ = try Database.open(path) }
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 100)
    try file.write(contentsOf: Data(repeating: 0xEE, count: 3000))
    try file.close()
    #expect(throws: HistoryError.corrupt(path: path)) { _ = try Database.open(path) }
  }

  /// What another program would have made.
  private func other(_ sql: String) throws {
    do { _ = try Database.open(path) }
    let database = try Database.open(path)
    try database.execute("PRAGMA foreign_keys = OFF; PRAGMA user_version = 0")
    for table in ["runs", "progress", "reasons", "lists", "results", "token_tails"] {
      try database.execute("DROP TABLE \(table)")
    }
    try database.execute("PRAGMA application_id = 0; \(sql)")
  }
}
