public import PushModel

/// Brings the results that a pass of a run could not write to the history, and kept elsewhere. It
/// hands them to `take`, which returns the number of those that the history lacked, and has them
/// now.
public typealias RescuedResults = (
  _ record: RunRecord, _ take: ([PushResult]) throws(HistoryError) -> Int
) throws(HistoryError) -> Void

extension Database {
  /// Adds the results that the last pass of a run could not write, as a commit of that pass. The
  /// caller has the run's lease.
  func take(
    _ rescued: RescuedResults, of run: RunNumber, now: Int64
  ) throws(HistoryError) {
    guard let record = try RunRecord.read(run, from: self) else { return }
    try rescued(record) { (results) throws(HistoryError) in
      try take(results, of: run, record, now: now)
    }
  }

  /// - Returns: the number of results that it lacked.
  func take(
    _ results: [PushResult], of run: RunNumber, _ record: RunRecord, now: Int64
  ) throws(HistoryError) -> Int {
    try transaction { () throws(HistoryError) in
      let pass = try number("SELECT pass FROM progress WHERE run = \(run)")
      let missing = try lacking(results, of: run)
      if !missing.isEmpty { try write(missing, of: run, record, pass: pass, now: now) }
      return missing.count
    }
  }

  /// The results that the history lacks: the answer to a commit may have been lost, but not its
  /// effect, and another machine may have sent the pushes since. Only an answer says more than a
  /// result that is there.
  private func lacking(
    _ results: [PushResult], of run: RunNumber
  ) throws(HistoryError) -> [PushResult] {
    let rows = results.map { run.row(of: $0.push.sequence) }
    let known = try Statement("SELECT id, outcome FROM pushes(?1, ?2)", on: self)
    known.bind((rows.min() ?? 0)...(rows.max() ?? 0))
    var found: [Int64: Bool] = [:]
    while try known.step() { found[known.int64(0)] = known.int64(1) <= Outcome.skipped.code }
    return zip(results, rows).filter { result, row in
      guard let isFinal = found[row] else { return true }
      return !isFinal && [.accepted, .rejected].contains(result.outcome)
    }.map(\.0)
  }

  /// Writes results and counts them, within the caller's transaction.
  private func write(
    _ results: [PushResult], of run: RunNumber, _ record: RunRecord, pass: Int64, now: Int64
  ) throws(HistoryError) {
    var writer = try ResultWriter(run: run, started: record.started, pass: pass, on: self)
    writer.mayHaveEarlier = true
    var tally = OutcomeTally()
    try writer.write([(PushResults(results), now)], into: &tally)
    var last = try lastCommit(of: run) ?? run.rows.lowerBound
    try writer.endCommit(after: &last)
    try execute(
      """
      UPDATE progress SET accepted = accepted + \(tally.accepted),
        rejected = rejected + \(tally.rejected), skipped = skipped + \(tally.skipped),
        deferred = deferred + \(tally.deferred), unknown = unknown + \(tally.unknown),
        not_attempted = not_attempted + \(tally.notAttempted) WHERE run = \(run)
      """)
  }
}
