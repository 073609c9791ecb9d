internal import APNS
package import History
internal import PushModel
package import Reporting
package import SQLHistory
package import Settings

/// Rereads the rows of pushes for facts about them. Fastest if the pushes of a run come in the
/// order of their numbers.
package struct RowFactReader {
  private let history: HistoryReader
  private let context: Context
  private var run: StoredRun?
  private var payloads: Result<RowPayloads, Failure> = .failure(.damagedRun)

  /// The reasons that columns of runs are left out.
  private(set) var losses: [(run: RunNumber, why: Failure)] = []

  package init(in history: HistoryReader, _ context: Context) {
    (self.history, self.context) = (history, context)
  }

  package mutating func facts(of push: PushEntry) -> RowFacts {
    guard let stored = stored(push.run) else { return RowFacts() }
    var facts = RowFacts(columns: stored.columns)
    if stored.columns.isEmpty, !push.wasNeverSent { return facts }
    guard case .success(var rows) = payloads else { return facts }
    defer { payloads = .success(rows) }
    if !stored.columns.isEmpty {
      do throws(Failure) {
        facts.values = try rows.columns(of: push)
      } catch {
        if !losses.contains(where: { $0.run == push.run }) { losses.append((push.run, error)) }
      }
    }
    if push.wasNeverSent {
      let before = (try? stored.skippedBefore(push, history)) ?? nil
      facts.skippedFor = before ?? rows.skippedCause(of: push, in: stored) ?? []
    }
    return facts
  }

  /// Calls `body` with pushes and their rows' facts until it returns false. Rows are read in list
  /// order, whatever the order of the pushes.
  ///
  /// - Returns: true if `body` took all of them.
  package mutating func tell(
    _ pushes: [PushEntry], _ body: (DescribedPush) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let ordered = pushes.indices.sorted { left, right in
      (pushes[left].run.rawValue, pushes[left].sequence)
        < (pushes[right].run.rawValue, pushes[right].sequence)
    }
    var facts = [RowFacts](repeating: RowFacts(), count: pushes.count)
    for index in ordered { facts[index] = self.facts(of: pushes[index]) }
    for (push, facts) in zip(pushes, facts) {
      if try !body(DescribedPush(entry: push, facts: facts)) { return false }
    }
    return true
  }

  /// Warnings about columns that are left out.
  package var warnings: [Report.Part] {
    losses.map { run, why in
      .warning(
        "The list's own columns of run \(run) are left out. \(why.sentence)",
        "--results has them when a run is sent.")
    }
  }

  private mutating func stored(_ number: RunNumber) -> StoredRun? {
    if let run, run.entry.run == number { return run }
    guard let entry = (try? history.run(number)) ?? nil else { return nil }
    let stored = StoredRun(entry)
    run = stored
    payloads = Result { [history, context] () throws(Failure) in
      try RowPayloads(of: stored, in: history, context)
    }
    return stored
  }
}

extension CommittedRun {
  /// A run whose rows can be reread for results that its files lack.
  package init(readingRowsOf entry: RunEntry, in history: HistoryReader, _ context: Context) {
    self.init(history: history, entry: entry) { pushes in
      var rows = RowFactReader(in: history, context)
      return pushes.map { DescribedPush(entry: $0, facts: rows.facts(of: $0)) }
    }
  }
}

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
    _ push: PushEntry, _ history: HistoryReader
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
