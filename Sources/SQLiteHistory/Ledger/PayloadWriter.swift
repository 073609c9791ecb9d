internal import APNS
internal import PushModel

/// Keeps what rows made of a template. A class, so that a run that keeps nothing has none.
final class PayloadWriter {
  private let run: RunNumber
  private let insertion: Statement

  init(_ run: RunNumber, on database: borrowing Database) throws(HistoryError) {
    insertion = try Statement(
      "REPLACE INTO payloads (id, payload) VALUES (?, ?)", on: database)
    self.run = run
  }

  /// Keeps the payloads of pushes.
  func write(_ results: some Sequence<PushResult>) throws(HistoryError) {
    for result in results { try write(result.push) }
  }

  /// Keeps the payload of a push; nothing for one whose row made none, or that has the
  /// notification's.
  func write(_ push: Push) throws(HistoryError) {
    let payload = push.chunk.withPayload(at: push.index) { Array($0) } ?? []
    if payload.isEmpty { return }
    insertion.bind(run.row(of: push.sequence), at: 1)
    insertion.bind(payload, at: 2)
    try insertion.run()
  }
}
