public import PushModel

extension RunLedger {
  /// The ledger of a run in a database.
  public init(_ ledger: SQLLedger) { self.init(ledger, claims: ledger, resuming: ledger.resuming) }
}

extension SQLLedger {
  /// The work of earlier passes of a run that is resumed; nil for a new run.
  public var resuming: (any ResumeLedger)? {
    stored.map { ResumedLedger(ledger: self, stored: $0) }
  }
}

/// A ledger of a run that is resumed, with what earlier passes have left.
private final class ResumedLedger: ResumeLedger {
  private let ledger: SQLLedger
  private let stored: StoredPlan

  init(ledger: SQLLedger, stored: StoredPlan) { (self.ledger, self.stored) = (ledger, stored) }

  var plan: ResumePlan { stored.plan }

  func beginPass() throws(HistoryError) { try ledger.beginPass() }

  /// They are read over a connection of their own.
  func standings() throws(HistoryError) -> sending any PushStandings { try PushStateCursor(stored) }

  func forEachInDoubt(_ body: (ClosedRange<UInt64>) -> Void) throws(HistoryError) {
    try stored.forEachInDoubt(body)
  }

  func gone(after sequence: UInt64) throws(HistoryError) -> GoneRecipients? {
    try stored.gone(after: sequence, in: ledger.database)
  }
}
