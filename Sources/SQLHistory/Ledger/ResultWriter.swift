internal import APNS
package import PushModel

/// Writes results: packed for pushes accepted at the first attempt, otherwise as rows.
package struct ResultWriter: ~Copyable {
  private let run: RunNumber
  private let started: Int64
  /// The number of times the run was resumed.
  private let pass: Int64
  /// The session of a worker that was taken for dead. Others may have sent the pushes of its
  /// results since, and died before they recorded it.
  package var lateSession: Int64?
  private let rows: any RowWriter
  private let finding: Statement
  private let keeping: Statement
  private var accepted: AcceptedWriter
  private var reasons: WordTable
  private var lists: WordTable
  private var log: CommitLog
  /// The writer of the payloads rendered from a template; nil if they are not stored.
  package var payloads: PayloadWriter?
  /// The time at which the first deferred push is due, in milliseconds since 1970 UTC.
  private(set) var nextDue: Int64?
  private var list = (name: "", number: Int64(0))
  /// The earlier results of the pushes in a commit, by row.
  private var earlier: [Int64: EarlierResult] = [:]
  /// True if pushes may have results to look up and replace.
  var mayHaveEarlier: Bool
  /// Rows that stay unchanged except for their pass.
  private var kept: [Int64] = []

  package init(
    run: RunNumber, started: Int64, pass: Int64, on database: borrowing Database
  ) throws(HistoryError) {
    // Created first: a noncopyable value cannot be partly initialized.
    let rows = try database.driver.rowWriter(into: "results", ResultRow.columns)
    let finding = try Statement(
      """
      SELECT id, outcome, attempts, deferrals, resent FROM results WHERE \(database.dialect.idIsAmong)
      """, on: database)
    let keeping = try Statement(
      "UPDATE results SET pass = \(pass) WHERE \(database.dialect.idIsAmong)", on: database)
    let accepted = try AcceptedWriter(run, pass: pass, on: database)
    let reasons = try WordTable("reasons", on: database)
    let lists = try WordTable("lists", on: database)
    let log = try CommitLog(pass: pass, on: database)
    self.run = run
    self.started = started
    self.pass = pass
    mayHaveEarlier = pass > 0
    self.rows = rows
    self.finding = finding
    self.keeping = keeping
    self.accepted = accepted
    self.reasons = reasons
    self.lists = lists
    self.log = log
  }

  /// Writes the results of a commit and counts them.
  ///
  /// - Parameter batches: each with a time, used for results without an answer.
  mutating func write(
    _ batches: ArraySlice<(results: PushResults, time: Int64)>, into tally: inout OutcomeTally
  ) throws(HistoryError) {
    if mayHaveEarlier { try findEarlier(batches.flatMap(\.results)) }
    for (results, now) in batches {
      for part in results.parts {
        if try writeAccepted(part, of: results, into: &tally) { continue }
        for result in results.results(of: part) { try write(result, now: now, into: &tally) }
      }
    }
  }

  /// Packs the results of a part if it is one of pushes accepted at their first attempt, none of which
  /// has an earlier result or needs a row.
  ///
  /// - Returns: whether it was; otherwise nothing is written.
  package mutating func writeAccepted(
    _ part: PushResults.Part, of results: PushResults, into tally: inout OutcomeTally
  ) throws(HistoryError) -> Bool {
    guard let chunk = part.chunk, !chunk.hasRegistrations, !mayHaveEarlier, lateSession == nil
    else { return false }
    try find(listOf: chunk)
    tally.add(part.places.count, to: .accepted)
    for push in results.accepted[part.places] {
      log.add(chunk.sequence(at: push.index))
      try accepted.add(push, of: chunk, list: list.number, at: push.answeredAt - started)
      try payloads?.write(chunk.push(at: push.index), replacing: false)
    }
    return true
  }

  private mutating func write(
    _ result: PushResult, now: Int64, into tally: inout OutcomeTally
  ) throws(HistoryError) {
    let id = run.row(of: result.push.sequence)
    let earlier = earlier[id]
    if earlier != nil, result.outcome == .notAttempted {
      // The earlier result tells more than that the push was not attempted again.
      return kept.append(id)
    }
    try write(result, over: earlier, at: result.answeredAt ?? now, into: &tally)
  }

  /// Writes a result in place of the earlier one, and counts it.
  ///
  /// - Parameters:
  ///   - earlier: the row to replace; nil if the push has no result.
  ///   - time: the time of the result, in milliseconds since 1970 UTC.
  package mutating func write(
    _ result: PushResult, over earlier: EarlierResult?, at time: Int64,
    into tally: inout OutcomeTally
  ) throws(HistoryError) {
    if let earlier { tally.add(-1, to: earlier.outcome) }
    tally.add(to: result.outcome)
    log.add(result.push.sequence)
    try find(listOf: result.push.chunk)
    let time = time - started
    if earlier == nil, lateSession == nil, result.isAcceptedAtOnce,
      let latency = result.latencyMicroseconds
    {
      let uniqueID = result.response?.uniqueID.map { [UInt8](uniqueID: $0) }
      try accepted.add(
        result.push, list: list.number, latency: latency, at: time, uniqueID: uniqueID ?? [])
    } else {
      try write(result, over: earlier, at: time)
    }
    // The payload that was sent takes precedence over the one a later pass would have sent.
    if earlier == nil || result.attempts > 0 {
      try payloads?.write(result.push, replacing: mayHaveEarlier || earlier != nil)
    }
  }

  private mutating func write(
    _ result: PushResult, over earlier: EarlierResult?, at time: Int64
  ) throws(HistoryError) {
    let id = run.row(of: result.push.sequence)
    var reason: Int64?
    if let word = result.response?.reason?.rawValue { reason = try reasons.number(of: word) }
    let row = ResultRow(
      id: id, result: result, list: list.number, reason: reason, pass: lateSession ?? pass,
      at: time, earlier: earlier, isLate: lateSession != nil)
    if result.outcome == .deferred {
      let due = started + time + Deferral.wait(after: row.summary.deferrals)
      nextDue = min(nextDue ?? due, due)
    }
    try rows.add(id, row.values, replacing: row.earlier != nil)
    if mayHaveEarlier { self.earlier[id] = row.summary }
  }

  /// Writes what belongs to the whole transaction.
  ///
  /// - Parameter last: the row of the run's last commit.
  package mutating func endCommit(after last: inout Int64) throws(HistoryError) {
    try flush()
    try log.write(after: &last)
  }

  /// Writes the pending rows to their tables, within the caller's transaction.
  package mutating func flush() throws(HistoryError) {
    try rows.write()
    if !kept.isEmpty {
      keeping.bind(kept, at: 1)
      try keeping.run()
    }
    try payloads?.endCommit()
    try accepted.write()
    kept.removeAll()
    earlier.removeAll()
  }

  /// Forgets what a rolled-back transaction may have inserted.
  package mutating func forget() {
    rows.clear()
    kept.removeAll()
    earlier.removeAll()
    payloads?.clear()
    accepted.clear()
    log.clear()
    reasons.forget()
    lists.forget()
    list = ("", 0)
  }

  private mutating func findEarlier(_ results: [PushResult]) throws(HistoryError) {
    if results.isEmpty { return }
    finding.bind(results.map { run.row(of: $0.push.sequence) }, at: 1)
    while try finding.step() {
      earlier[finding.int64(0)] = EarlierResult(
        outcome: Outcome(code: finding.int64(1)), attempts: try finding.int64(2, in: .counts),
        deferrals: try finding.int64(3, in: .counts), wasResent: finding.int64(4) != 0)
    }
  }

  private mutating func find(listOf chunk: PushChunk) throws(HistoryError) {
    if list.number > 0, list.name == chunk.list { return }
    list = (chunk.list, try lists.number(of: chunk.list))
  }
}

extension [UInt8] {
  /// Creates the stored form of an `apns-unique-id`: 16 bytes for a canonical UUID in lower case,
  /// otherwise its text.
  init(uniqueID text: String) {
    self = Array(text.utf8)
    guard APNSID(text)?.description == text else { return }
    let digits = filter { $0 != UInt8(ascii: "-") }
    removeAll()
    digits.withUnsafeBufferPointer { append(hex: $0) }
  }

  /// Appends the bytes that pairs of hex digits encode, in either case.
  package mutating func append(hex digits: UnsafeBufferPointer<UInt8>) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digits.count / 2) { bytes in
      let whole = bytes.count & ~3
      let (source, target) = (
        UnsafeRawBufferPointer(digits), UnsafeMutableRawBufferPointer(bytes)
      )
      for index in stride(from: 0, to: whole, by: 4) {
        let eight = source.loadUnaligned(fromByteOffset: 2 * index, as: UInt64.self)
        let four = UInt64(littleEndian: eight).fourBytes.littleEndian
        target.storeBytes(of: four, toByteOffset: index, as: UInt32.self)
      }
      for index in whole..<bytes.count {
        bytes[index] = digits[2 * index].nibble << 4 | digits[2 * index + 1].nibble
      }
      append(contentsOf: UnsafeBufferPointer(bytes))
    }
  }
}

extension UInt64 {
  /// The four bytes that eight hex digits encode, in the same order; the first digit is in the
  /// lowest byte. All eight are converted together, as in ``nibble``.
  fileprivate var fourBytes: UInt32 {
    let letters = self >> 6 & 0x0101_0101_0101_0101
    let nibbles = (self & 0x0F0F_0F0F_0F0F_0F0F) &+ letters &* 9
    let pairs = (nibbles << 4 | nibbles >> 8) & 0x00FF_00FF_00FF_00FF
    let words = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: words | words >> 16)
  }
}

extension UInt8 {
  /// The value of a hex digit: letters have bit 6 set, and 'a' ends in 1.
  fileprivate var nibble: UInt8 { (self & 0x0F) &+ (self >> 6) &* 9 }
}

/// Stores the payloads rendered from a template. It is a class so that a run that stores none has
/// no instance.
package final class PayloadWriter {
  private let run: RunNumber
  private let rows: any RowWriter

  package init(_ run: RunNumber, on database: borrowing Database) throws(HistoryError) {
    rows = try database.driver.rowWriter(into: "payloads", ["id", "payload"])
    self.run = run
  }

  /// Stores the payload of a push, unless the push has the notification's own payload.
  ///
  /// - Parameter replacing: true if an earlier payload of the push may be stored.
  func write(_ push: Push, replacing: Bool) throws(HistoryError) {
    let payload = push.chunk.withPayload(at: push.index) { Array($0) } ?? []
    if payload.isEmpty { return }
    let id = run.row(of: push.sequence)
    try rows.add(id, [.int64(id), .bytes(payload)], replacing: replacing)
  }

  /// Writes the pending payloads, within the caller's transaction.
  func endCommit() throws(HistoryError) { try rows.write() }

  /// Discards the pending payloads after the transaction was rolled back.
  func clear() { rows.clear() }
}
