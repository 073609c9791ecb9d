internal import APNS
internal import PushModel

/// Writes results as rows with prepared statements and no allocation, many rows by one statement: to
/// begin and end one costs SQLite a third of a row, with the indices of the table.
struct ResultWriter: ~Copyable {
  /// How many rows one statement puts in. A multiple of it fits a chunk.
  private static let groupSize = 16
  private static let tokenSize = DeviceToken.maximumDigits / 2

  private let run: RunNumber
  private let started: Int64
  /// How often the run was resumed.
  private let pass: Int64
  private let group: Statement
  private let single: Statement
  private let earlier: Statement
  private let keeping: Statement
  private var reasons: WordTable
  private var lists: WordTable
  private var log: CommitLog
  /// Keeps the payloads that rows made; nil keeps none.
  var payloads: PayloadWriter?
  /// When the first of the pushes that were deferred is due, in milliseconds since 1970 UTC.
  private(set) var nextDue: Int64?
  private var list = (name: "", number: Int64(0))
  private let tokens = UnsafeMutableRawBufferPointer.allocate(
    byteCount: groupSize * tokenSize, alignment: 8)

  /// What a push that is sent again brings from earlier passes.
  private struct Earlier {
    var outcome: Outcome
    var attempts: Int64
    var deferrals: Int64
    var wasResent: Bool
  }

  /// A result, with what other tables know of it.
  private struct Row {
    var result: PushResult
    var earlier: Earlier?
    var list: Int64
    var reason: Int64?
    var time: Int64
  }

  init(
    run: RunNumber, started: Int64, pass: Int64, on database: borrowing Database
  ) throws(HistoryError) {
    // Put together first: what is not copyable cannot be half made.
    let group = try Statement(Self.insertion(of: Self.groupSize), on: database)
    let single = try Statement(Self.insertion(of: 1), on: database)
    let earlier = try Statement(Self.earlierText, on: database)
    let keeping = try Statement("UPDATE results SET pass = ? WHERE id = ?", on: database)
    let reasons = try WordTable("reasons", on: database)
    let lists = try WordTable("lists", on: database)
    let log = try CommitLog(run, pass: pass, on: database)
    self.run = run
    self.started = started
    self.pass = pass
    self.group = group
    self.single = single
    self.earlier = earlier
    self.keeping = keeping
    self.reasons = reasons
    self.lists = lists
    self.log = log
  }

  deinit { tokens.deallocate() }

  private static let columns = [
    "id", "token", "list", "line", "outcome", "status", "reason", "attempts", "deferrals", "pass",
    "latency", "at", "timestamp", "unique_id", "resent", "registered",
  ]

  private static func insertion(of rows: Int) -> String {
    let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    let all = repeatElement(row, count: rows).joined(separator: ", ")
    return "REPLACE INTO results (\(columns.joined(separator: ", "))) VALUES \(all)"
  }

  private static let earlierText =
    "SELECT outcome, attempts, deferrals, resent FROM results WHERE id = ?"

  /// Writes results and counts them.
  ///
  /// - Parameter now: stands for the time of an answer when there was none.
  mutating func write(
    _ results: [PushResult], now: Int64, into tally: inout OutcomeTally
  ) throws(HistoryError) {
    var rest = results[...]
    while pass == 0, rest.count >= Self.groupSize {
      for place in 0..<Self.groupSize {
        let row = try row(rest[rest.startIndex + place], nil, now: now, into: &tally)
        bind(row, at: place, of: group)
        log.add(row.result.push.sequence)
      }
      try group.run()
      try payloads?.write(rest.prefix(Self.groupSize))
      rest = rest.dropFirst(Self.groupSize)
    }
    for result in rest { try write(result, now: now, into: &tally) }
  }

  private mutating func write(
    _ result: PushResult, now: Int64, into tally: inout OutcomeTally
  ) throws(HistoryError) {
    let id = run.row(of: result.push.sequence)
    let earlier = pass == 0 ? nil : try findEarlier(id)
    if earlier != nil, result.outcome == .notAttempted {
      // What is known of the push is worth more than that it was not its turn again.
      return try keep(id)
    }
    log.add(result.push.sequence)
    bind(try row(result, earlier, now: now, into: &tally), at: 0, of: single)
    try single.run()
    // What was sent is worth more than what a later pass would have sent.
    if earlier == nil || result.attempts > 0 { try payloads?.write(result.push) }
  }

  /// Writes down which pushes have got a result in this transaction.
  mutating func endCommit() throws(HistoryError) { try log.write() }

  /// Forgets what a transaction that was rolled back may have put in.
  mutating func forget() {
    log.clear()
    reasons.forget()
    lists.forget()
    list = ("", 0)
  }

  private func findEarlier(_ row: Int64) throws(HistoryError) -> Earlier? {
    earlier.bind(row, at: 1)
    guard try earlier.step() else { return nil }
    defer { earlier.reset() }
    return Earlier(
      outcome: Outcome(code: earlier.int64(0)), attempts: try earlier.int64(1, in: .counts),
      deferrals: try earlier.int64(2, in: .counts), wasResent: earlier.int64(3) != 0)
  }

  private func keep(_ row: Int64) throws(HistoryError) {
    keeping.bind(pass, at: 1)
    keeping.bind(row, at: 2)
    try keeping.run()
  }

  /// Counts a result and looks up what other tables know of it.
  private mutating func row(
    _ result: PushResult, _ earlier: Earlier?, now: Int64, into tally: inout OutcomeTally
  ) throws(HistoryError) -> Row {
    if let earlier { tally.add(-1, to: earlier.outcome) }
    tally.add(to: result.outcome)
    let time = result.answeredAt ?? now
    if result.outcome == .deferred {
      let due = time + Deferral.wait(after: (earlier?.deferrals ?? 0) + 1)
      nextDue = min(nextDue ?? due, due)
    }
    if list.number == 0 || list.name != result.push.chunk.list {
      list = (result.push.chunk.list, try lists.number(of: result.push.chunk.list))
    }
    var row = Row(result: result, earlier: earlier, list: list.number, time: time)
    if let reason = result.response?.reason { row.reason = try reasons.number(of: reason.rawValue) }
    return row
  }

  /// Binds a row to a statement, in the order of the columns.
  private func bind(_ row: Row, at place: Int, of statement: borrowing Statement) {
    let first = Int32(place * Self.columns.count)
    bindRecipient(row, at: place, of: statement, after: first)
    bindOutcome(row, of: statement, after: first)
    bindAnswer(row.result.response, row.reason, of: statement, after: first)
  }

  private func bindRecipient(
    _ row: Row, at place: Int, of statement: borrowing Statement, after first: Int32
  ) {
    let push = row.result.push
    let token = UnsafeMutableRawBufferPointer(
      rebasing: tokens[place * Self.tokenSize..<(place + 1) * Self.tokenSize])
    let count = push.chunk.withToken(at: push.index) { $0.decodeHex(into: token) }
    statement.bind(run.row(of: push.sequence), at: first + 1)
    statement.bind(inPlace: UnsafeRawBufferPointer(rebasing: token[..<count]), at: first + 2)
    statement.bind(row.list, at: first + 3)
    statement.bind(push.line, at: first + 4)
    statement.bind(push.chunk.registered(at: push.index), at: first + 16)
  }

  private func bindOutcome(_ row: Row, of statement: borrowing Statement, after first: Int32) {
    let (result, earlier) = (row.result, row.earlier)
    let isDeferred: Int64 = result.outcome == .deferred ? 1 : 0
    let isResent = result.wasResentInDoubt || earlier?.wasResent ?? false
    statement.bind(result.outcome.code, at: first + 5)
    statement.bind(Int64(result.attempts) + (earlier?.attempts ?? 0), at: first + 8)
    statement.bind(isDeferred + (earlier?.deferrals ?? 0), at: first + 9)
    statement.bind(pass, at: first + 10)
    statement.bind(result.latencyMicroseconds, at: first + 11)
    statement.bind(row.time - started, at: first + 12)
    statement.bind(isResent ? 1 : 0, at: first + 15)
  }

  private func bindAnswer(
    _ response: Response?, _ reason: Int64?, of statement: borrowing Statement, after first: Int32
  ) {
    statement.bind(response?.status.rawValue, at: first + 6)
    statement.bind(reason, at: first + 7)
    statement.bind(response?.timestamp, at: first + 13)
    statement.bind(uniqueID: response?.uniqueID, at: first + 14)
  }
}

extension Statement {
  /// A canonical UUID in lower case takes 16 bytes; anything else stays the text it is.
  fileprivate func bind(uniqueID text: String?, at parameter: Int32) {
    guard let text, APNSID(text)?.description == text else { return bind(text, at: parameter) }
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = digits.withUnsafeBufferPointer {
        $0.decodeHex(into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
    bind(bytes, at: parameter)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Writes the bytes that pairs of hex digits of either case stand for.
  ///
  /// - Returns: how many.
  func decodeHex(into bytes: UnsafeMutableRawBufferPointer) -> Int {
    let count = Swift.min(self.count / 2, bytes.count)
    for index in 0..<count {
      bytes[index] = self[2 * index].nibble << 4 | self[2 * index + 1].nibble
    }
    return count
  }
}

extension UInt8 {
  /// The value of a hex digit: letters have bit 6 set, and 'a' ends in 1.
  fileprivate var nibble: UInt8 { (self & 0x0F) &+ (self >> 6) &* 9 }
}
