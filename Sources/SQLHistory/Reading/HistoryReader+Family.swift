public import History
public import PushModel

/// Families of runs that send the same pushes: the oldest run, and all that send its pushes again,
/// directly or indirectly.
extension HistoryReader {
  /// All runs in the family of a run, oldest first.
  public func family(of run: RunNumber) throws(HistoryError) -> [RunEntry] {
    let statement = try Statement(
      """
      \(RunEntry.selection(in: database)) JOIN (SELECT coalesce(root, id) AS root FROM runs WHERE id = ?) AS family
        ON runs.id = family.root OR runs.root = family.root ORDER BY runs.id
      """, on: database)
    statement.bind(run.rawValue, at: 1)
    var entries: [RunEntry] = []
    while try statement.step() { entries.append(try RunEntry(row: statement)) }
    return entries
  }

  /// The results of a run's push in other runs of its family, oldest run first. If a killed pass
  /// may have sent it, in this run too, the result is unknown.
  public func relatedResults(
    of run: RunNumber, sequence: UInt64
  ) throws(HistoryError) -> [RelatedResult] {
    let row = run.row(of: sequence)
    related.bind(row, at: 1)
    var found: [RelatedResult] = []
    while try related.step() {
      let other = try RunNumber(row: related)
      if try isInDoubt(in: other) {
        found.append(RelatedResult(run: other, outcome: .unknown, attempts: 0, at: .max))
      } else if related.int64(4) != row, !related.isNull(1) {
        found.append(
          RelatedResult(
            run: other, outcome: Outcome(code: related.int64(1)),
            attempts: try related.count(2), at: try related.time(3)))
      }
    }
    return found
  }

  /// Returns true if the push in the current row of `related` was claimed by a pass that left no
  /// result of it.
  private func isInDoubt(in run: RunNumber) throws(HistoryError) -> Bool {
    let (row, progress) = (related.int64(4), try progress(of: run))
    if progress.wasFinished { return false }
    if related.isNull(1) { return RunNumber.sequence(ofRow: row) <= UInt64(progress.end) }
    return progress.claimedAgain.contains(
      row, Outcome(code: related.int64(1)), of: related.int64(5), due: related.int64(6))
  }

  private func progress(of run: RunNumber) throws(HistoryError) -> StoredProgress {
    if let known = progress[run] { return known }
    guard let record = try RunRecord.read(run, from: database) else {
      throw HistoryError.noSuchRun(run)
    }
    let found = try StoredProgress(of: run, record, in: database)
    progress[run] = found
    return found
  }

  /// Passes the numbers of a resend's pushes that have no result, in order.
  public func forEachWithoutResult(
    of resend: RunNumber, _ body: (UInt64) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let statement = try Statement(
      """
      SELECT id FROM origins WHERE id BETWEEN ?1 AND ?2
        EXCEPT SELECT id FROM pushes(?1, ?2) ORDER BY id
      """, on: database)
    var blocks = try RowBlocks(of: resend, .origins, size: 4096, on: database)
    while let block = try blocks.next() {
      statement.bind(block)
      var page: [UInt64] = []
      while try statement.step() { page.append(RunNumber.sequence(ofRow: statement.int64(0))) }
      for sequence in page { try body(sequence) }
    }
  }

  /// A query for a push in all runs of its family, with its result if there is one. The parameter
  /// is its row.
  static let relatedResults = """
    WITH push (origin) AS (SELECT coalesce((SELECT origin FROM origins WHERE id = ?1), ?1)),
      same (id) AS (SELECT origin FROM push
        UNION ALL SELECT origins.id FROM push JOIN origins ON origins.origin = push.origin)
    SELECT runs.id, outcome, attempts, started + at, same.id, pass, \(Deferral.due)
      FROM same JOIN runs ON runs.id = same.id >> \(RunNumber.sequenceBits)
        LEFT JOIN pushes(same.id, same.id) ON true
      ORDER BY same.id
    """
}
