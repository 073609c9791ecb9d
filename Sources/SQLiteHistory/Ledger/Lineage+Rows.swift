internal import PushModel

extension Lineage {
  /// How many rows one transaction puts in: others that write do not wait long.
  private static let rowsAtOnce = 20_000

  /// Says in the row of a new run of which family it is, within the caller's transaction.
  func markRoot(of resend: RunNumber, in database: borrowing Database) throws(HistoryError) {
    try database.execute(
      """
      UPDATE runs SET root = coalesce((SELECT root FROM runs WHERE id = \(run)), \(run))
        WHERE id = \(resend)
      """)
  }

  /// Writes the origins of a new run's pushes down, before any of them can be sent: until then its
  /// list has no name, so that it cannot be resumed either.
  func insert(for resend: RunNumber, into database: borrowing Database) throws(HistoryError) {
    let statement = try Statement(
      "INSERT INTO origins VALUES (?1, coalesce((SELECT origin FROM origins WHERE id = ?2), ?2))",
      on: database)
    var sequences = ranges.lazy.joined().enumerated().makeIterator()
    var isDone = false
    while !isDone {
      try database.transaction { () throws(HistoryError) in
        for _ in 0..<Self.rowsAtOnce {
          guard let (index, sequence) = sequences.next() else {
            isDone = true
            return
          }
          statement.bind(resend.row(of: UInt64(index + 1)), at: 1)
          statement.bind(run.row(of: sequence), at: 2)
          try statement.run()
        }
      }
    }
  }
}
