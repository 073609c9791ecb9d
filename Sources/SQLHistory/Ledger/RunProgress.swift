internal import PushModel

/// How far a run has come, as it is kept with every commit.
struct RunProgress {
  /// Pushes up to this one were claimed by any pass.
  var claimed: UInt64
  /// Pushes up to this one were claimed by the last pass.
  var passClaimed: UInt64
  /// The number of the last push; nil when the lists were not read to their end.
  var last: UInt64?
  /// What the results are.
  var tally: OutcomeTally
  /// What became of the lists' lines, as far as any pass has read them.
  var recipients: RecipientCounts

  /// Writes the progress of one run, again and again.
  struct Writer: ~Copyable {
    private let statement: Statement

    init(_ run: RunNumber, on database: borrowing Database) throws(HistoryError) {
      statement = try Statement(
        """
        UPDATE progress SET claimed = ?, pass_claimed = ?, last = ?, accepted = ?, rejected = ?,
          skipped = ?, deferred = ?, unknown = ?, not_attempted = ?, lines = ?, bad_lines = ?,
          duplicates = ?, suppressed = ?, other_shards = ? WHERE run = \(run)
        """, on: database)
    }

    /// Writes it down, within the caller's transaction.
    func write(_ progress: RunProgress) throws(HistoryError) {
      statement.bind(Int64(progress.claimed), at: 1)
      statement.bind(Int64(progress.passClaimed), at: 2)
      statement.bind(progress.last.map { Int64($0) }, at: 3)
      bind(progress.tally)
      bind(progress.recipients)
      try statement.run()
    }

    private func bind(_ tally: OutcomeTally) {
      statement.bind(tally.accepted, at: 4)
      statement.bind(tally.rejected, at: 5)
      statement.bind(tally.skipped, at: 6)
      statement.bind(tally.deferred, at: 7)
      statement.bind(tally.unknown, at: 8)
      statement.bind(tally.notAttempted, at: 9)
    }

    private func bind(_ recipients: RecipientCounts) {
      statement.bind(recipients.lines, at: 10)
      statement.bind(recipients.badLines, at: 11)
      statement.bind(recipients.duplicates, at: 12)
      statement.bind(recipients.suppressed, at: 13)
      statement.bind(recipients.otherShards, at: 14)
    }
  }
}
