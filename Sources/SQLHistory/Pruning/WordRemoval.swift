internal import PushModel

/// Removes reasons and names of lists that no result has any more.
///
/// Who sends keeps the numbers of words in memory, so nothing is removed while somebody does. And the
/// highest number stays, without its word: no number is ever given to another word.
struct WordRemoval {
  /// The history's file.
  let path: String

  func removeUnused(from database: borrowing Database) throws(HistoryError) {
    let version = try database.number(database.dialect.versionOfResults)
    let lists = try numbers(
      "SELECT DISTINCT list FROM pushes(0, \(Int64.max))", in: database)
    try database.transaction { () throws(HistoryError) in
      try database.lockWords()
      // What others have committed since may need a word that was not needed before.
      guard try database.number(database.dialect.versionOfResults) == version else { return }
      if try database.isSomethingSent(path) { return }
      try remove("reasons", unusedReasons(database), from: database)
      try remove("lists", "id NOT IN (\(lists.joined(separator: ", ")))", from: database)
    }
  }

  private func unusedReasons(_ database: borrowing Database) -> String {
    let tables = ["results"] + (database.dialect.hasQueue ? ["other_results"] : [])
    return tables.map { "NOT EXISTS (SELECT 1 FROM \($0) WHERE reason = reasons.id)" }
      .joined(separator: " AND ")
  }

  private func remove(
    _ table: StaticString, _ isUnused: String, from database: borrowing Database
  ) throws(HistoryError) {
    try database.execute(
      """
      DELETE FROM \(table) WHERE id < (SELECT max(id) FROM \(table)) AND \(isUnused);
      UPDATE \(table) SET word = '' WHERE \(isUnused)
        AND NOT EXISTS (SELECT 1 FROM \(table) AS other WHERE other.word = '')
      """)
  }

  private func numbers(
    _ sql: String, in database: borrowing Database
  ) throws(HistoryError) -> [String] {
    let statement = try Statement(sql, on: database)
    // A list in SQL cannot be empty; words are numbered from 1.
    var numbers = ["0"]
    while try statement.step() { numbers.append(String(statement.int64(0))) }
    return numbers
  }
}
