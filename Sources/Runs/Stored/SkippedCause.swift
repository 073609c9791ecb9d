internal import APNS
internal import History
internal import PushModel
internal import Reporting

// The reasons no request was made for a push, in sentences; nil if one was sent.
extension RowPayloads {
  /// Broken rules in the row's payload, or an `apns-expiration` that had passed.
  mutating func skippedCause(of push: PushEntry, in stored: StoredRun) -> [String]? {
    guard push.wasNeverSent else { return nil }
    if let last = stored.entry.last, push.sequence > last {
      return ["Its row was no longer in the list when the run was resumed."]
    }
    let record = stored.entry.record
    let time = record.hasExpired(at: push.at) ? record.expiration : nil
    let expired = time.map { ["Its apns-expiration had passed: \(ISO8601.text(seconds: $0))."] }
    do throws(Failure) {
      let problems = try problems(of: push)
      return problems.isEmpty ? expired : problems.skippedFor
    } catch {
      return expired ?? ["Its row broke a rule and cannot be read again. \(error.sentence)"]
    }
  }
}

extension StoredRun {
  /// The original skip of a resent push, which has the reasons; nil if it was not skipped there, or
  /// had been sent.
  func skippedBefore(
    _ push: PushEntry, _ history: any HistoryStore
  ) throws(Failure) -> [String]? {
    guard push.wasNeverSent, let run = entry.record.resends else { return nil }
    guard let older = try answered(history.run(run)) else {
      return entry.record.hasExpired(at: push.at)
        ? nil : ["It was already skipped in run \(run), which is no longer in the history."]
    }
    // The line in the resend is the number in the original run.
    let id = older.record.identity.apnsID(ofSequence: UInt64(push.line))
    let wasSent = try answered(history.push(id)).map { !$0.wasNeverSent } ?? true
    return wasSent
      ? nil : ["It was already skipped in run \(run): 'fanfare history show \(id)' shows why."]
  }
}
