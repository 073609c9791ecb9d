internal import APNS
internal import History
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs
internal import Settings

/// Pushes of a run that are resent in a run of their own.
struct ResentPushes: RunSource {
  let suppression: Suppression

  private let entry: RunEntry
  /// Keeps the run unchanged until the new one has begun.
  private let hold: any RunHold
  /// The recipients, with payloads where rows had their own.
  private let list: ResentList
  private let spools = ListSpools()

  init(
    _ entry: RunEntry, hold: any RunHold, list: ResentList, _ settings: Settings, _ context: Context
  ) {
    (self.entry, self.hold, self.list) = (entry, hold, list)
    suppression = Suppression([], settings, context)
  }

  var sources: [RecipientSource] { [.resent(list)] }

  func prepareSpools(beside history: String, _ context: Context) -> [Int: Spool] {
    spools.hold(list, context)
    return [:]
  }

  func begin(_ start: RunStart) throws(Failure) -> RecordedRun {
    let recorded = try start.record(self, spools, resending: list.lineage) { record, inputs in
      record.kind = .resend
      (record.scenario, record.step) = (entry.record.scenario, entry.record.step)
      inputs.resends = entry.run
    }
    if recorded.ledger != nil { hold.release() }
    return recorded
  }
}
