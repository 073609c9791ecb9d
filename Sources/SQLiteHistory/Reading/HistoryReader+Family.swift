public import History
public import PushModel

/// Runs that send the same pushes: the oldest, and all that send its pushes again, or those of a run
/// that does.
extension HistoryReader {
  /// The runs that send pushes of a run again, the oldest first.
  public func resends(of run: RunNumber) throws(HistoryError) -> [RunNumber] {
    try numbers("SELECT id FROM runs WHERE resends = ? ORDER BY id") {
      $0.bind(run.rawValue, at: 1)
    }
  }

  /// All runs of the family of a run that the history holds, the oldest first.
  public func family(of run: RunNumber) throws(HistoryError) -> [RunEntry] {
    let statement = try Statement(
      """
      \(RunEntry.selection) JOIN (SELECT coalesce(root, id) AS root FROM runs WHERE id = ?) AS family
        ON runs.id = family.root OR runs.root = family.root ORDER BY runs.id
      """, on: database)
    statement.bind(run.rawValue, at: 1)
    var entries: [RunEntry] = []
    while try statement.step() { entries.append(try RunEntry(row: statement)) }
    return entries
  }

  /// The results of a push of a run that other runs of its family have, those of the oldest first.
  public func relatedResults(
    of run: RunNumber, sequence: UInt64
  ) throws(HistoryError) -> [RelatedResult] {
    related.bind(run.row(of: sequence), at: 1)
    var found: [RelatedResult] = []
    while try related.step() {
      found.append(
        RelatedResult(
          run: try RunNumber(row: related), outcome: Outcome(code: related.int64(1)),
          attempts: try related.count(2), at: try related.time(3)))
    }
    return found
  }

  /// Hands out the numbers of those pushes of a resend that have no result, in order.
  public func forEachWithoutResult(
    of resend: RunNumber, _ body: (UInt64) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let statement = try Statement(
      """
      SELECT id FROM origins WHERE id > ? AND id <= ?
        AND NOT EXISTS (SELECT 1 FROM results WHERE results.id = origins.id)
        ORDER BY id LIMIT 4096
      """, on: database)
    var last = resend.rows.lowerBound
    var page: [Int64] = []
    repeat {
      page = []
      statement.bind(last, at: 1)
      statement.bind(resend.rows.upperBound, at: 2)
      while try statement.step() {
        last = try statement.row(after: last)
        page.append(last)
      }
      for row in page { try body(RunNumber.sequence(ofRow: row)) }
    } while !page.isEmpty
  }

  /// The results that a push has in other runs; the push is told by its row.
  static let relatedResults = """
    WITH push (origin) AS (SELECT coalesce((SELECT origin FROM origins WHERE id = ?1), ?1)),
      same (id) AS (SELECT origin FROM push
        UNION ALL SELECT origins.id FROM push JOIN origins ON origins.origin = push.origin)
    SELECT runs.id, outcome, attempts, started + at
      FROM same JOIN results ON results.id = same.id
        JOIN runs ON runs.id = results.id >> \(RunNumber.sequenceBits)
      WHERE results.id <> ?1 ORDER BY results.id
    """
}
