internal import APNS

/// Writes results as rows, each with one prepared statement and no allocation.
struct ResultWriter: ~Copyable {
  private let run: RunNumber
  private let started: Int64
  /// How often the run was resumed.
  private let pass: Int64
  private let insertion: Statement
  private let earlier: Statement
  private let keeping: Statement
  private var reasons: WordTable
  private var lists: WordTable
  /// When the first of the pushes that were deferred is due, in milliseconds since 1970 UTC.
  private(set) var nextDue: Int64?
  private var list = (name: "", number: Int64(0))
  private let token = UnsafeMutableRawBufferPointer.allocate(
    byteCount: DeviceToken.maximumDigits / 2, alignment: 8)

  /// What a push that is sent again brings from earlier passes.
  private struct Earlier {
    var outcome: Outcome
    var attempts: Int64
    var deferrals: Int64
    var wasResent: Bool
  }

  init(
    run: RunNumber, started: Int64, pass: Int64, on database: borrowing Database
  ) throws(HistoryError) {
    // Put together first: what is not copyable cannot be half made.
    let insertion = try Statement(Self.insertionText, on: database)
    let earlier = try Statement(Self.earlierText, on: database)
    let keeping = try Statement("UPDATE results SET pass = ? WHERE id = ?", on: database)
    let reasons = try WordTable("reasons", on: database)
    let lists = try WordTable("lists", on: database)
    self.run = run
    self.started = started
    self.pass = pass
    self.insertion = insertion
    self.earlier = earlier
    self.keeping = keeping
    self.reasons = reasons
    self.lists = lists
  }

  deinit { token.deallocate() }

  private static let insertionText = """
    REPLACE INTO results (id, token, list, line, outcome, status, reason, attempts, deferrals, pass,
      latency, at, timestamp, unique_id, resent, registered)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  private static let earlierText =
    "SELECT outcome, attempts, deferrals, resent FROM results WHERE id = ?"

  /// Writes one result and counts it.
  ///
  /// - Parameter now: stands for the time of an answer when there was none.
  mutating func write(
    _ result: PushResult, now: Int64, into tally: inout OutcomeTally
  ) throws(HistoryError) {
    let row = run.row(of: result.push.sequence)
    let earlier = pass == 0 ? nil : try findEarlier(row)
    if earlier != nil, result.outcome == .notAttempted {
      // What is known of the push is worth more than that it was not its turn again.
      return try keep(row)
    }
    if let earlier { tally.add(-1, to: earlier.outcome) }
    tally.add(to: result.outcome)
    try bindRecipient(result.push)
    bindOutcome(result, earlier, now: now)
    if result.outcome == .deferred {
      let due = (result.answeredAt ?? now) + Deferral.wait(after: (earlier?.deferrals ?? 0) + 1)
      nextDue = min(nextDue ?? due, due)
    }
    try bindAnswer(result)
    insertion.bind(row, at: 1)
    try insertion.run()
  }

  /// Forgets what a transaction that was rolled back may have put in.
  mutating func forget() {
    reasons.forget()
    lists.forget()
    list = ("", 0)
  }

  private func findEarlier(_ row: Int64) throws(HistoryError) -> Earlier? {
    earlier.bind(row, at: 1)
    guard try earlier.step() else { return nil }
    defer { earlier.reset() }
    return Earlier(
      outcome: Outcome(code: earlier.int64(0)), attempts: earlier.int64(1),
      deferrals: earlier.int64(2), wasResent: earlier.int64(3) != 0)
  }

  private func keep(_ row: Int64) throws(HistoryError) {
    keeping.bind(pass, at: 1)
    keeping.bind(row, at: 2)
    try keeping.run()
  }

  private mutating func bindRecipient(_ push: Push) throws(HistoryError) {
    let count = push.chunk.withToken(at: push.index) { $0.decodeHex(into: token) }
    insertion.bind(inPlace: UnsafeRawBufferPointer(rebasing: token[..<count]), at: 2)
    if list.number == 0 || list.name != push.chunk.list {
      list = (push.chunk.list, try lists.number(of: push.chunk.list))
    }
    insertion.bind(list.number, at: 3)
    insertion.bind(push.line, at: 4)
    insertion.bind(push.chunk.registered(at: push.index), at: 16)
  }

  private func bindOutcome(_ result: PushResult, _ earlier: Earlier?, now: Int64) {
    let isDeferred: Int64 = result.outcome == .deferred ? 1 : 0
    let isResent = result.wasResentInDoubt || earlier?.wasResent ?? false
    insertion.bind(result.outcome.code, at: 5)
    insertion.bind(Int64(result.attempts) + (earlier?.attempts ?? 0), at: 8)
    insertion.bind(isDeferred + (earlier?.deferrals ?? 0), at: 9)
    insertion.bind(pass, at: 10)
    insertion.bind(result.latencyMicroseconds, at: 11)
    insertion.bind((result.answeredAt ?? now) - started, at: 12)
    insertion.bind(isResent ? 1 : 0, at: 15)
  }

  private mutating func bindAnswer(_ result: PushResult) throws(HistoryError) {
    let response = result.response
    insertion.bind(response?.status.rawValue, at: 6)
    if let reason = response?.reason {
      insertion.bind(try reasons.number(of: reason.rawValue), at: 7)
    } else {
      insertion.bindNull(at: 7)
    }
    insertion.bind(response?.timestamp, at: 13)
    insertion.bind(uniqueID: response?.uniqueID, at: 14)
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
