internal import APNS
package import PushModel

/// Records the pushes that got a result in each commit of a run. Followers use it to find new
/// results, which do not come in the order of the pushes.
///
/// A row's id has the run's number above that of the commit, from 1. `pushes` holds the differences of
/// the pushes' numbers, each as a zigzag varint: a byte for most.
struct CommitLog: ~Copyable {
  private let insertion: Statement
  private var pushes: [UInt8] = []
  private var last: UInt64 = 0

  init(pass: Int64, on database: borrowing Database) throws(HistoryError) {
    insertion = try Statement("INSERT INTO commits VALUES (?, \(pass), ?)", on: database)
  }

  /// Adds a push that got a result.
  mutating func add(_ sequence: UInt64) {
    let difference = Int64(sequence) - Int64(last)
    pushes.append(varint: UInt64(bitPattern: difference << 1 ^ difference >> 63))
    last = sequence
  }

  /// Writes the added pushes, if any, within the caller's transaction.
  ///
  /// - Parameter last: the row of the run's last commit, replaced by that of this one.
  mutating func write(after last: inout Int64) throws(HistoryError) {
    defer { clear() }
    if pushes.isEmpty { return }
    last += 1
    insertion.bind(last, at: 1)
    insertion.bind(pushes, at: 2)
    try insertion.run()
  }

  /// Discards the added pushes.
  mutating func clear() {
    pushes.removeAll(keepingCapacity: true)
    last = 0
  }
}

extension Database {
  /// The row of the last commit of a run up to a number; nil if there is none.
  package func lastCommit(
    of run: RunNumber, upTo number: Int64 = .max
  ) throws(HistoryError) -> Int64? {
    let newest = try Statement("SELECT max(id) FROM commits WHERE id > ? AND id <= ?", on: self)
    newest.bind(run.rows.lowerBound, at: 1)
    newest.bind(run.rows.lowerBound + min(number, Int64(RunNumber.lastSequence)), at: 2)
    guard try newest.step() else { return nil }
    defer { newest.reset() }
    return newest.optionalInt64(0)
  }
}
