internal import PushModel

/// Words by their numbers, as a ``WordTable`` gave them; each is read once.
struct WordCache: ~Copyable {
  private let selection: Statement
  private var words: [Int64: String] = [:]

  /// - Parameter table: has the columns `id` and `word`.
  init(_ table: StaticString, on database: borrowing Database) throws(HistoryError) {
    selection = try Statement("SELECT word FROM \(table) WHERE id = ?", on: database)
  }

  /// The word with a number; nil when there is none.
  mutating func word(_ number: Int64) throws(HistoryError) -> String? {
    if let word = words[number] { return word }
    selection.bind(number, at: 1)
    guard try selection.step() else { return nil }
    defer { selection.reset() }
    words[number] = selection.text(0)
    return words[number]
  }
}
