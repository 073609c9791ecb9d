internal import PushModel

extension Lineage {
  /// The number of rows inserted per transaction, so that other writers do not wait long.
  private static let rowsAtOnce = 20_000

  /// Marks the row of a new run with its family, within the caller's transaction.
  func markRoot(of resend: RunNumber, in database: borrowing Database) throws(HistoryError) {
    try database.execute(
      """
      UPDATE runs SET root = coalesce((SELECT root FROM runs WHERE id = \(run)), \(run))
        WHERE id = \(resend)
      """)
  }

  /// Records the origins of a new run's pushes before any of them can be sent. Until then its list
  /// has no name, so that the run cannot be resumed either.
  func insert(for resend: RunNumber, into database: borrowing Database) throws(HistoryError) {
    let rows = try database.driver.rowWriter(into: "origins", ["id", "origin"])
    var sequences = ranges.lazy.joined().enumerated().makeIterator()
    while true {
      var part: [(id: Int64, parent: Int64)] = []
      while part.count < Self.rowsAtOnce, let (index, sequence) = sequences.next() {
        part.append((resend.row(of: UInt64(index + 1)), run.row(of: sequence)))
      }
      if part.isEmpty { return }
      try database.transaction { [part] () throws(HistoryError) in
        let origins = try database.origins(of: part.map(\.parent))
        for (id, parent) in part {
          let origin = origins[parent] ?? parent
          try rows.add(id, [.int64(id), .int64(origin)], replacing: false)
        }
        try rows.write()
      }
    }
  }
}

extension Database {
  /// The origins of pushes, by row, without pushes that are their own origin.
  fileprivate func origins(of pushes: [Int64]) throws(HistoryError) -> [Int64: Int64] {
    let statement = try Statement(
      "SELECT id, origin FROM origins WHERE \(dialect.idIsAmong)", on: self)
    statement.bind(pushes, at: 1)
    var origins: [Int64: Int64] = [:]
    while try statement.step() { origins[statement.int64(0)] = statement.int64(1) }
    return origins
  }
}
