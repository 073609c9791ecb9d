internal import APNS
internal import Delivery
internal import HTTP2
internal import History
internal import PushModel
internal import Reporting
internal import SQLHistory

/// Where a run comes from, and so how it stands in the history.
package enum RunOrigin {
  case new
  /// A step of a scenario, with the scenario's title and, if there are several, the step's number.
  case step(scenario: String, number: Int?)
  case resumed(ResumedRun)
  case resent(ResentPushes)
  case queued(QueuedWork)
}

/// A run that is resumed.
package struct ResumedRun {
  let ledger: RunLedger
  /// The ledger of its earlier passes.
  let resuming: any ResumeLedger
  let lists: ReopenedLists
  /// The run as it was before this pass.
  let committed: CommittedRun
  let inputs: RunInputs
  /// The run was given by its number.
  let isNamed: Bool

  var earlier: EarlierPasses {
    let entry = committed.entry
    return EarlierPasses(count: entry.resumptions + 1, unread: entry.unread, lost: lists.lost)
  }
}

/// Pushes of a run that are resent in a run of their own.
package struct ResentPushes {
  let entry: RunEntry
  /// Keeps the run unchanged until the new one has begun.
  let hold: RunHold
  /// Its pushes that are resent; nil if they have no place in the history.
  let lineage: Lineage?
}

/// A run of the queue while a worker sends it: recipients come from the queue, not from lists.
package struct QueuedWork {
  let ledger: RunLedger
  /// The connections and the rate that the workers share.
  let limits: SharedLimits
  /// Receives the control that stops the run, before it begins.
  let watch: (RunControl) -> Void
  /// Begins to listen to the other workers.
  let begin: () throws(Failure) -> Void
}

// What the origin decides.
extension RunOrigin {
  /// What makes a run of it, or made the one that goes on.
  var kind: RunKind {
    switch self {
    case .new: .send
    case .step: .scenario
    case .resent: .resend
    case .resumed(let run): run.ledger.record.kind
    case .queued(let work): work.ledger.record.kind
    }
  }

  /// The run being continued, whose results are appended to; nil for a new one.
  var committed: CommittedRun? { if case .resumed(let run) = self { run.committed } else { nil } }

  /// The earlier passes of a resumed run; empty for a new one.
  var earlier: EarlierPasses {
    if case .resumed(let run) = self { run.earlier } else { EarlierPasses() }
  }

  /// The scenario step; nil for any other run.
  var step: ResultStep? {
    switch self {
    case .step(let scenario, let number): ResultStep(scenario: scenario, number: number ?? 1)
    case .resumed(let run): run.ledger.record.resultStep
    case .new, .resent, .queued: nil
    }
  }

  /// Results are always appended to the files, even those of another run.
  var appendsResults: Bool { shared != nil }

  /// The limits that workers share; nil for a run with a single sender.
  var shared: SharedLimits? { if case .queued(let work) = self { work.limits } else { nil } }

  /// The ledger of the earlier passes; nil for a new run.
  var resuming: (any ResumeLedger)? {
    if case .resumed(let run) = self { run.resuming } else { nil }
  }

  /// The files of results that earlier passes have written.
  var files: RunOutputFiles {
    if case .resumed(let run) = self { run.inputs.files } else { RunOutputFiles() }
  }

  /// The configuration file that the command which began the run named; nil for none.
  var config: String? { if case .resumed(let run) = self { run.inputs.config } else { nil } }

  func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity {
    switch self {
    case .new, .step, .resent: RunIdentity(given: given, clock)
    case .resumed(let run): run.ledger.record.identity
    case .queued(let work): work.ledger.record.identity
    }
  }

  /// Adds to a new run's record what only its origin knows.
  func describe(_ record: inout RunRecord, _ inputs: inout RunInputs) {
    switch self {
    case .step(let scenario, let number):
      (record.kind, record.scenario, record.step) = (.scenario, scenario, number)
    case .resent(let pushes):
      record.kind = .resend
      (record.scenario, record.step) = (pushes.entry.record.scenario, pushes.entry.record.step)
      inputs.resends = pushes.entry.run
    case .new, .resumed, .queued: break
    }
  }
}

extension RunRecord {
  /// The scenario's step that its pushes belong to; nil without a scenario.
  var resultStep: ResultStep? {
    kind == .scenario ? scenario.map { ResultStep(scenario: $0, number: step ?? 1) } : nil
  }
}

/// The connections and the rate of a run that workers share.
package struct SharedLimits {
  let connections: ConnectionLimit?
  let rate: RateSlots?

  func applied(to plan: DeliveryPlan) -> DeliveryPlan {
    var plan = plan
    (plan.connectionLimit, plan.rateSlots) = (connections, rate)
    // A fixed number in the run's settings is the total for all workers.
    if connections != nil { plan.connections = .auto }
    return plan
  }
}

/// The facts about a run from its earlier passes.
struct EarlierPasses {
  var count = 0
  /// The recipients that they did not read; nil if one reached the end of the lists.
  var unread: UnreadRecipients?
  /// The recipients that no pass can read any longer; nil for none.
  var lost: UnreadRecipients?
}
