internal import APNS
internal import CSQLite
import Foundation
internal import History
internal import PushModel
internal import SQLHistory

/// A history as runs leave it: one that was finished, one that was killed in its second pass, and one
/// that was killed while it sent pushes of the first again. It is made when it is first needed.
public enum SampleHistory {
  /// The history's file.
  static let bytes: [UInt8] = make { path in
    try writeRuns(path)
    try SQLiteText(path).run("VACUUM")
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  /// How many bytes the file has.
  public static var size: Int { bytes.count }

  /// Every column of its tables, as `table.column`.
  public static let columns: [String] = make { path in
    try Data(bytes).write(to: URL(filePath: path))
    return try SQLiteText(path).texts(
      """
      SELECT tables.name || '.' || columns.name
        FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' ORDER BY 1
      """)
  }

  /// When its runs began, in milliseconds since 1970 UTC.
  static let start: Int64 = 1_700_000_000_000

  /// Pushes numbered from 1.
  static func pushes(_ count: Int) -> [Push] {
    var builder = PushChunkBuilder()
    builder.begin(list: "all.txt")
    for number in 1...count {
      var token = String(number, radix: 16)
      token = String(repeating: "0", count: 64 - token.count) + token
      token.withUTF8 { builder.append(token: $0, line: number, registered: start / 1000) }
    }
    return Array(builder.take().pushes)
  }

  /// What became of a push: outcomes take turns, and reasons with them.
  static func result(_ push: Push, deferring: Bool = true) -> PushResult {
    let outcomes = Outcome.allCases.filter { deferring || $0 != .deferred }
    let outcome = outcomes[Int(push.sequence) % outcomes.count]
    let response: Response? =
      switch outcome {
      case .accepted: Response(status: .accepted, uniqueID: "c0ffee00-0000-4000-8000-000000000001")
      case .rejected: Response(status: .gone, reason: .unregistered, timestamp: start - 5)
      case .deferred: Response(status: .unavailable, reason: .serviceUnavailable)
      case .skipped, .unknown, .notAttempted: nil
      }
    return PushResult(
      push: push, outcome: outcome, response: response, attempts: response == nil ? 0 : 1,
      wasResentInDoubt: push.sequence.isMultiple(of: 7), latencyMicroseconds: 1500,
      answeredAt: start + 1000)
  }

  private static func writeRuns(_ path: String) throws {
    let pushes = pushes(40)
    let first = try SQLLedger.begin(record, at: path)
    try first.claim(upTo: 40)
    try first.record(pushes.map { result($0) }, now: start)
    try first.end(40)
    let second = try SQLLedger.begin(record, at: path)
    try second.claim(upTo: 30)
    try second.record(pushes.prefix(20).map { result($0) }, now: start)
    try second.finish(RunEnding(.interrupted, recipients: .init(lines: 30), at: start + 2000))
    try killPass(of: second.run, path, pushes)
    var lineage = Lineage(of: first.run)
    for sequence in UInt64(5)...20 { lineage.add(sequence) }
    let third = try SQLLedger.begin(record, lineage, at: path)
    try third.claim(upTo: 16)
    try third.record(pushes.prefix(10).map { result($0) }, now: start)
    try third.commit()
  }

  private static func killPass(of run: RunNumber, _ path: String, _ pushes: [Push]) throws {
    let pass = try SQLLedger.resume(run, at: path, now: start + 86_400_000, sendsEarly: true)
    try pass.keepPayloads()
    try pass.claim(upTo: 30)
    try pass.record(pushes[3..<9].map { result($0, deferring: false) }, now: start)
    try pass.commit()
  }

  private static var record: RunRecord {
    let bits = APNSID.RunBits(1 << 59 | 7, 1 << 13 | 3)
    return RunRecord(
      started: start, environment: "emulator", version: "1.0",
      identity: RunIdentity(given: nil, bits: bits))
  }

  /// Hands out the path of a file that is gone afterwards.
  static func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.appending(path: "history.sqlite").path)
  }

  private static func make<Result>(_ body: (String) throws -> Result) -> Result {
    do { return try withFile(body) } catch { fatalError("the sample cannot be made: \(error)") }
  }
}

extension SQLLedger {
  /// Ends a run whose lists were read.
  func end(_ count: Int) throws {
    listsEnded(at: UInt64(count))
    let counts = RecipientCounts(lines: count)
    try finish(RunEnding(.finished, recipients: counts, at: SampleHistory.start + 2000))
  }
}

/// A connection to a database that knows nothing of histories.
final class SQLiteText {
  struct Failed: Error {}

  private let handle: OpaquePointer

  init(_ path: String) throws {
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { throw Failed() }
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements, and ignores their errors.
  func run(_ sql: String) { sqlite3_exec(handle, sql, nil, nil, nil) }

  /// The first column of what a query gives.
  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw Failed() }
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}
