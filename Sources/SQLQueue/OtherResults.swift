internal import APNS
internal import PushModel
internal import SQLHistory

/// The results that other workers wrote for the pushes of a commit, and the results that count less
/// than others of the same push.
///
/// The caller's transaction holds the lock on the run's row of `progress`, so that no other worker
/// can add a result of the same push meanwhile.
struct OtherResults: ~Copyable {
  /// The role of a result among those of its push.
  enum Place {
    /// It becomes the push's result, in place of the earlier one, if any.
    case counts(over: EarlierResult?)
    /// The same, but the earlier result was of a push that had been sent as well.
    case replaces(EarlierResult)
    /// The earlier result stays: it ranks higher, or the new one adds nothing.
    case yields(to: EarlierResult)
  }

  private let run: RunNumber
  private let own: Int64
  private let started: Int64
  private let selection: Statement
  private let insertion: Statement
  private let displacing: Statement
  private let releasing: Statement
  private var reasons: WordTable

  init(
    _ session: WorkerSession, started: Int64, on database: borrowing Database
  ) throws(HistoryError) {
    let selection = try Statement(
      "SELECT id, outcome, attempts, deferrals, resent, pass FROM pushes(?, ?)", on: database)
    let insertion = try Statement(
      "INSERT INTO other_results VALUES (?, \(session.number), ?, ?, ?, ?, ?)", on: database)
    let displacing = try Statement(
      """
      INSERT INTO other_results
        SELECT id, NULL, outcome, status, reason, attempts, at FROM results WHERE id = ?
      """, on: database)
    let releasing = try Statement(
      """
      UPDATE results SET pass = 0 WHERE id BETWEEN ? AND ? AND pass = \(session.number)
      """, on: database)
    let reasons = try WordTable("reasons", on: database)
    (run, own, self.started) = (session.run, session.number, started)
    self.selection = selection
    self.insertion = insertion
    self.displacing = displacing
    self.releasing = releasing
    self.reasons = reasons
  }

  /// Returns the current results of a range of pushes, by sequence number.
  func find(_ range: ClosedRange<UInt64>) throws(HistoryError) -> [UInt64: EarlierResult] {
    selection.bind(run.row(of: range.lowerBound)...run.row(of: range.upperBound))
    var found: [UInt64: EarlierResult] = [:]
    while try selection.step() {
      found[RunNumber.sequence(ofRow: selection.int64(0))] = EarlierResult(
        outcome: Outcome(code: selection.int64(1)), attempts: try selection.int64(2, in: .counts),
        deferrals: try selection.int64(3, in: .counts), wasResent: selection.int64(4) != 0,
        claimedBy: selection.int64(5))
    }
    return found
  }

  /// Returns the role of a result, given the current one of its push.
  func place(of result: PushResult, beside earlier: EarlierResult?) -> Place {
    Place(of: result, beside: earlier, from: own)
  }

  /// Records that pushes which were to be sent again, and have no new result, were not sent.
  func release(_ range: ClosedRange<UInt64>) throws(HistoryError) {
    releasing.bind(run.row(of: range.lowerBound)...run.row(of: range.upperBound))
    try releasing.run()
  }

  /// Stores the result that a better one is about to replace.
  func keepReplaced(_ sequence: UInt64) throws(HistoryError) {
    displacing.bind(run.row(of: sequence), at: 1)
    try displacing.run()
  }

  /// Stores a result that does not count, unless it is of a push that was not sent.
  ///
  /// - Parameter time: the time in milliseconds since 1970 UTC.
  mutating func keep(_ result: PushResult, at time: Int64) throws(HistoryError) {
    guard result.attempts > 0 else { return }
    let reason = result.response?.reason
    insertion.bind(run.row(of: result.push.sequence), at: 1)
    insertion.bind(result.outcome.code, at: 2)
    insertion.bind(result.response?.status.rawValue, at: 3)
    insertion.bind(nil as Int64?, at: 4)
    if let reason { insertion.bind(try reasons.number(of: reason.rawValue), at: 4) }
    insertion.bind(result.attempts, at: 5)
    insertion.bind(time - started, at: 6)
    try insertion.run()
  }

  /// Forgets what a rolled-back transaction may have inserted.
  mutating func forget() { reasons.forget() }
}

extension OtherResults.Place {
  /// - Parameters:
  ///   - earlier: the current result of the push; nil if it has none.
  ///   - session: the session of the worker that has the result.
  init(of result: PushResult, beside earlier: EarlierResult?, from session: Int64) {
    guard let earlier else {
      self = .counts(over: nil)
      return
    }
    if earlier.claimedBy == session {
      // The worker knew the earlier result when it took the push, as when a run is resumed.
      self = result.outcome == .notAttempted ? .yields(to: earlier) : .counts(over: earlier)
    } else if result.outcome.rank <= earlier.outcome.rank {
      self = .yields(to: earlier)
    } else {
      let isSentTwice = earlier.attempts > 0 && result.attempts > 0
      self = isSentTwice ? .replaces(earlier) : .counts(over: earlier)
    }
  }
}

extension Outcome {
  /// Of two results of a push that was sent twice, the one with the higher rank counts.
  var rank: Int {
    switch self {
    case .accepted: 5
    case .rejected: 4
    case .skipped: 3
    case .unknown: 2
    case .deferred: 1
    case .notAttempted: 0
    }
  }
}
