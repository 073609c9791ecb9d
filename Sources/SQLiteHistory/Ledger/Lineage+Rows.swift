internal import PushModel

extension Lineage {
  /// Writes the origins of a new run's pushes down, within the caller's transaction.
  func insert(for resend: RunNumber, into database: borrowing Database) throws(HistoryError) {
    try database.execute(
      """
      UPDATE runs SET root = coalesce((SELECT root FROM runs WHERE id = \(run)), \(run))
        WHERE id = \(resend)
      """)
    let statement = try Statement(
      "INSERT INTO origins VALUES (?1, coalesce((SELECT origin FROM origins WHERE id = ?2), ?2))",
      on: database)
    var sequence: UInt64 = 0
    for range in ranges {
      for number in range {
        sequence += 1
        statement.bind(resend.row(of: sequence), at: 1)
        statement.bind(run.row(of: number), at: 2)
        try statement.run()
      }
    }
  }
}
