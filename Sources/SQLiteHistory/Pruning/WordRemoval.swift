internal import PushModel

/// Removes reasons and names of lists that no result has any more.
///
/// Who sends keeps the numbers of words in memory, so nothing is removed while somebody does. And the
/// highest number stays, without its word: no number is ever given to another word.
struct WordRemoval {
  /// The history's file.
  let path: String

  func removeUnused(from database: borrowing Database) throws(HistoryError) {
    let version = try database.number("PRAGMA data_version")
    let lists = try numbers("SELECT DISTINCT list FROM results", in: database)
    try database.transaction { () throws(HistoryError) in
      // What others have committed since may need a word that was not needed before.
      guard try database.number("PRAGMA data_version") == version else { return }
      if try database.isSomethingSent(path) { return }
      try remove(
        "reasons", "NOT EXISTS (SELECT 1 FROM results WHERE reason = reasons.id)", from: database)
      try remove("lists", "id NOT IN (\(lists.joined(separator: ", ")))", from: database)
    }
  }

  private func remove(
    _ table: StaticString, _ isUnused: String, from database: borrowing Database
  ) throws(HistoryError) {
    try database.execute(
      """
      DELETE FROM \(table) WHERE id < (SELECT max(id) FROM \(table)) AND \(isUnused);
      UPDATE OR IGNORE \(table) SET word = '' WHERE \(isUnused)
      """)
  }

  private func numbers(
    _ sql: String, in database: borrowing Database
  ) throws(HistoryError) -> [String] {
    let statement = try Statement(sql, on: database)
    var numbers: [String] = []
    while try statement.step() { numbers.append(String(statement.int64(0))) }
    return numbers
  }
}
