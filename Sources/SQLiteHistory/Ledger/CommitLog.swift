internal import PushModel

/// Writes down, with each commit of a run, which pushes got a result: so that those who follow it find
/// what is new, although results do not come in the order of the pushes.
///
/// A row's id is the run's number above that of the commit, from 1. `pushes` holds the differences of
/// the pushes' numbers, each as a zigzag varint: a byte for most.
struct CommitLog: ~Copyable {
  private let insertion: Statement
  private var pushes: [UInt8] = []
  private var last: UInt64 = 0

  init(_ run: RunNumber, pass: Int64, on database: borrowing Database) throws(HistoryError) {
    insertion = try Statement(
      """
      INSERT INTO commits SELECT coalesce(max(id), \(run.rows.lowerBound)) + 1, \(pass), ?
        FROM commits WHERE id BETWEEN \(run.rows.lowerBound) AND \(run.rows.upperBound)
      """, on: database)
  }

  /// Adds a push that got a result.
  mutating func add(_ sequence: UInt64) {
    pushes.appendVarint(Int64(sequence) - Int64(last))
    last = sequence
  }

  /// Writes down what was added, within the caller's transaction.
  mutating func write() throws(HistoryError) {
    defer { clear() }
    if pushes.isEmpty { return }
    insertion.bind(pushes, at: 1)
    try insertion.run()
  }

  /// Forgets what was added.
  mutating func clear() {
    pushes.removeAll(keepingCapacity: true)
    last = 0
  }
}

extension [UInt8] {
  fileprivate mutating func appendVarint(_ difference: Int64) {
    var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
