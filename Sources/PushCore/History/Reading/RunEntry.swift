/// A run as the history has it.
public struct RunEntry: Sendable, Hashable {
  /// Its number.
  public let run: RunNumber
  /// What was kept of it when it began.
  public let record: RunRecord
  /// How far it has come; nil when a newer version of this tool said it in another way.
  public let state: RunState?
  /// When it ended, or its last pass did, in milliseconds since 1970 UTC; nil while it goes on, and
  /// when its process was killed.
  public let ended: Int64?
  /// The pushes that have a result.
  public let tally: OutcomeTally
  /// What became of the lists' lines, as far as they were read.
  public let recipients: RecipientReader.Counts
  /// The number of pushes that may have been sent. Those without a result are in doubt. Claims are
  /// made ahead: as long as ``last`` is not known, there may be fewer pushes than this.
  public let claimed: Int
  /// The number of the last push; nil when the lists were not read to their end.
  public let last: Int?
  /// The figures that its last pass ended with, as the JSON object that `--json` prints; nil before
  /// it has ended.
  public let summary: String?
  /// How often it was resumed.
  public let resumptions: Int
}

extension RunEntry: RunRow {
  /// Reads runs one after the other; their columns and nothing else.
  static let selection = """
    SELECT runs.id, state, finished, summary, claimed, pass, accepted, rejected, skipped, deferred,
      unknown, not_attempted, lines, bad_lines, duplicates, suppressed, other_shards, last,
      \(RunRecord.columns)
      FROM runs JOIN progress ON progress.run = runs.id
    """

  init(row: borrowing Statement) throws(HistoryError) {
    guard let run = RunNumber(rawValue: row.int64(0)) else { throw row.corrupt }
    self.run = run
    state = row.text(1).flatMap { RunState(rawValue: $0) }
    ended = row.optionalInt64(2)
    summary = row.text(3)
    claimed = row.int(4)
    resumptions = row.int(5)
    var tally = OutcomeTally()
    for outcome in Outcome.allCases { tally.add(row.int(6 + Int32(outcome.code)), to: outcome) }
    self.tally = tally
    recipients = RecipientReader.Counts(row: row, from: 12)
    last = row.optionalInt64(17).map { Int($0) }
    record = RunRecord(row: row, from: 18)
  }
}

extension RunEntry {
  /// How many pushes may have been sent and have no result; more than there are, perhaps, as long as
  /// ``last`` is not known.
  public var claimedWithoutResult: Int {
    state == .finished ? 0 : max(0, min(claimed, last ?? claimed) - tally.total)
  }
}
