package import PushModel

/// Words that many rows share, such as reasons. Each is stored once, with a number.
package struct WordTable: ~Copyable {
  private let insertion: Statement
  private let selection: Statement
  private var numbers: [String: Int64] = [:]

  /// - Parameter table: has the columns `id` and `word`.
  package init(_ table: StaticString, on database: borrowing Database) throws(HistoryError) {
    let insertion = try Statement(
      "INSERT INTO \(table) (word) \(database.dialect.newWord) ON CONFLICT DO NOTHING", on: database
    )
    let selection = try Statement("SELECT id FROM \(table) WHERE word = ?", on: database)
    self.insertion = insertion
    self.selection = selection
  }

  /// The number of a word, which is inserted if new.
  package mutating func number(of word: String) throws(HistoryError) -> Int64 {
    if let number = numbers[word] { return number }
    if let number = try find(word) { return number }
    insertion.bind(word, at: 1)
    try insertion.run()
    guard let number = try find(word) else { throw selection.corrupt }
    return number
  }

  private mutating func find(_ word: String) throws(HistoryError) -> Int64? {
    selection.bind(word, at: 1)
    guard try selection.step() else { return nil }
    defer { selection.reset() }
    numbers[word] = selection.int64(0)
    return selection.int64(0)
  }

  /// Forgets all numbers after a transaction that may have inserted some was rolled back.
  package mutating func forget() { numbers = [:] }
}

/// Words by the numbers that a ``WordTable`` gave them. Each is read once.
struct WordCache: ~Copyable {
  private let selection: Statement
  private var words: [Int64: String] = [:]

  /// - Parameter table: has the columns `id` and `word`.
  init(_ table: StaticString, on database: borrowing Database) throws(HistoryError) {
    selection = try Statement("SELECT word FROM \(table) WHERE id = ?", on: database)
  }

  /// The word with a number; nil if there is none.
  mutating func word(_ number: Int64) throws(HistoryError) -> String? {
    if let word = words[number] { return word }
    selection.bind(number, at: 1)
    guard try selection.step() else { return nil }
    defer { selection.reset() }
    words[number] = selection.text(0)
    return words[number]
  }
}
