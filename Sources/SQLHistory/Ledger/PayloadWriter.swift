internal import APNS
package import PushModel

/// Keeps what rows made of a template. A class, so that a run that keeps nothing has none.
package final class PayloadWriter {
  private let run: RunNumber
  private let rows: any RowWriter

  package init(_ run: RunNumber, on database: borrowing Database) throws(HistoryError) {
    rows = try database.driver.rowWriter(into: "payloads", ["id", "payload"])
    self.run = run
  }

  /// Keeps the payload of a push; nothing for one whose row made none, or that has the
  /// notification's.
  ///
  /// - Parameter replacing: whether an earlier one of the push may have been kept.
  func write(_ push: Push, replacing: Bool) throws(HistoryError) {
    let payload = push.chunk.withPayload(at: push.index) { Array($0) } ?? []
    if payload.isEmpty { return }
    let id = run.row(of: push.sequence)
    try rows.add(id, [.int64(id), .bytes(payload)], replacing: replacing)
  }

  /// Writes down what waits, within the caller's transaction.
  func endCommit() throws(HistoryError) { try rows.write() }

  /// Forgets what waits: the transaction was rolled back.
  func clear() { rows.clear() }
}
