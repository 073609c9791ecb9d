internal import APNS
internal import Delivery
internal import HTTP2
internal import PushModel
internal import Reporting
internal import SQLHistory
internal import Settings

/// A run in the history: its ledger, its end, and the copies of its lists.
package final class RecordedRun {
  /// The ledger that records every push before it is sent; nil without a history.
  let ledger: RunLedger?

  private let removeCopies: () -> Void
  /// A list that can be read only once could not be copied.
  private let lacksCopies: () -> Bool
  private var isDone = false
  private var isGone = false

  /// - Parameter ledger: the ledger of a resumed run; nil records nothing.
  init(
    _ ledger: RunLedger? = nil, lacksCopies: @escaping () -> Bool = { false },
    removeCopies: @escaping () -> Void = {}
  ) {
    (self.ledger, self.lacksCopies, self.removeCopies) = (ledger, lacksCopies, removeCopies)
  }

  /// Begins a run in the history, or its next pass.
  ///
  /// - Throws: `Failure.list` when a list is gone, `Failure.history`; nothing was sent.
  convenience init(
    of plan: RunPlan, at server: ServerChoice, as credentials: OpenedCredentials,
    _ identity: RunIdentity
  ) throws(Failure) {
    switch plan.origin {
    case .new, .step:
      try self.init(beginning: plan, at: server, as: credentials, identity, nil)
    case .resent(let pushes):
      try self.init(beginning: plan, at: server, as: credentials, identity, pushes.lineage)
      if ledger != nil { pushes.hold.release() }
    case .resumed(let run):
      self.init(run.ledger, removeCopies: run.lists.removeCopies)
    case .queued(let work):
      try work.begin()
      self.init(work.ledger)
    }
  }

  /// - Parameter lineage: the pushes of an older run that it resends; nil for none.
  private convenience init(
    beginning plan: RunPlan, at server: ServerChoice, as credentials: OpenedCredentials,
    _ identity: RunIdentity, _ lineage: Lineage?
  ) throws(Failure) {
    guard let path = plan.history?.location else {
      self.init()
      return
    }
    let recipients = plan.recipients
    let record = try plan.record(at: server, as: credentials, identity)
    let ledger = try answered(
      SQLLedger.begin(
        record, lineage, at: path, claiming: recipients.sources.isOnePush ? 1 : 0,
        pace: record.atMostOnce ? .atMostOnce : .init()))
    if HistoryLocation(path).file != nil { ledger.makeRoom = recipients.giveUpCopies }
    let copies = ListCopies(ledger.run, record, in: path, plan.context)
    self.init(
      RunLedger(ledger), lacksCopies: { recipients.lacksCopies },
      removeCopies: { recipients.remove(copies) })
    recipients.keep(copies)
  }

  /// The run's number; nil when it has none, or the history is gone.
  var number: Int64? { isGone ? nil : ledger?.run.rawValue }

  /// The way to continue. A run with a list that could not be copied cannot be resumed.
  func resumeHint(of plan: RunPlan) -> ResumeHint {
    hint(isDone || lacksCopies() ? nil : number, due: ledger?.results.nextDue, of: plan)
  }

  /// The command that adds to the files of results what they lack; nil without a history.
  func completingCommand(of plan: RunPlan) -> String? {
    let hint = hint(number, due: nil, of: plan)
    return hint.files.isEmpty ? nil : hint.command
  }

  private func hint(_ run: Int64?, due: Int64?, of plan: RunPlan) -> ResumeHint {
    var hint = ResumeHint(run: run, history: plan.history?.name, due: due)
    hint.files = plan.inputs.files.filled(from: plan.origin.files)
    hint.config = plan.context.configuration.named ?? plan.origin.config
    return hint
  }

  /// Stores the payloads made from rows of a template.
  ///
  /// - Throws: `Failure.history`; nothing was sent.
  func keepPayloads() throws(Failure) {
    try answered(ledger?.results.keepPayloads())
  }

  /// Records the start of another pass.
  ///
  /// - Throws: `Failure.history`; nothing was sent.
  func beginPass() throws(Failure) {
    try answered(ledger?.resuming?.beginPass())
  }

  /// Records the end of the run.
  ///
  /// - Returns: the error and the results missing from the history; nil when it has all.
  func close(
    _ report: Run.Report, _ ending: RunEnding
  ) -> (error: HistoryError, results: [PushResult])? {
    guard let ledger else { return nil }
    let (results, isWhole) = (ledger.results, report.hasReadAll)
    do throws(HistoryError) {
      if results.failure != nil { try results.retry() }
      if isWhole { ledger.claims?.listsEnded(at: UInt64(report.read.pushes)) }
      // After reading all lists every push has a result, even if it was not attempted.
      try results.finish(ending)
      let leavesRefused = ending.refusesCredentials && results.tally.accepted > 0
      isDone = isWhole && !leavesRefused && results.isDone(at: ending.at)
      if isDone { removeCopies() }
      return nil
    } catch {
      if case .gone = error { isGone = true }
      return (error, results.takeUncommitted())
    }
  }
}

extension ResultLedger {
  /// True if no push is left for another pass at a time in milliseconds since 1970 UTC.
  fileprivate func isDone(at now: Int64) -> Bool {
    record.openOutcomes(at: now).allSatisfy { tally[$0] == 0 }
  }
}

extension RunPlan {
  /// The run's record for the history.
  ///
  /// - Parameter credentials: nil for an enqueued run: workers have their own.
  func record(
    at server: ServerChoice, as credentials: OpenedCredentials?, _ identity: RunIdentity
  ) throws(Failure) -> RunRecord {
    var record = RunRecord(
      started: context.clock.epochMilliseconds(), environment: server.environment.name,
      version: fanfareVersion, identity: identity)
    record.server = server.address?.description
    record.atMostOnce = delivery.isAtMostOnce
    message.write(to: &record)
    var inputs = try inputs.inputs(
      recipients, of: message, at: server, as: credentials, context)
    origin.describe(&record, &inputs)
    record.settings = inputs.json
    return record
  }
}
