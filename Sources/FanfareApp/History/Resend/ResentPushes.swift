internal import APNS
internal import History
internal import Projects
internal import PushModel
internal import Recipients

/// Pushes of a run that are sent again in a run of their own.
struct ResentPushes: RunSource {
  let suppression: Suppression

  /// The run they are of.
  private let entry: RunEntry
  /// Keeps the run as it is until the new one has begun.
  private let hold: any RunHold
  /// Who is sent to, with a payload for each where rows had payloads of their own.
  private let list: ResentList
  private let spools = ListSpools()

  init(
    _ entry: RunEntry, hold: any RunHold, list: ResentList, _ settings: Settings, _ context: Context
  ) {
    (self.entry, self.hold, self.list) = (entry, hold, list)
    suppression = Suppression([], settings, context)
  }

  var sources: [RecipientSource] { [.resent(list)] }

  var continuesResults: Bool { false }

  func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int: Spool] {
    spools.hold(list, isQuiet: settings.quiet.isOn, context)
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

/// Which pushes of a run are sent again.
struct ResendChoice {
  /// The push that was named; nil for all that fit.
  var push: PushEntry?
  /// The outcomes that are wanted; empty for what was not accepted.
  var only: [Outcome]
  /// The run.
  let entry: RunEntry
  /// When it is sent again, in milliseconds since 1970 UTC.
  let now: Int64
  /// The earlier resends of the run.
  var resends: [RunEntry] = []
  /// Whether what they got accepted is wanted again.
  var includesResent = false

  /// Why a push that fits is left out.
  enum LeftOut {
    /// Its device gets nothing any more: the next answer would be the same.
    case deadToken
    /// An earlier resend got it accepted.
    case accepted
    /// It may have arrived with an earlier resend, and is to be sent at most once.
    case inDoubt
  }

  /// What is asked of the history.
  var filter: HistoryFilter {
    var filter = HistoryFilter()
    filter.runs = [entry.run]
    filter.apnsID = push?.apnsID
    if push == nil { filter.outcomes = Set(only.isEmpty ? usual : only) }
    return filter
  }

  /// Why a push that fits is left out; nil when it is sent, as one that was named always is.
  ///
  /// - Parameter related: why it is left out for what became of it in other runs.
  func reason(toLeaveOut found: PushEntry, _ related: LeftOut? = nil) -> LeftOut? {
    if push != nil { return nil }
    if !only.contains(.rejected), found.hasDeadToken { return .deadToken }
    let reason = includesResent ? nil : related
    return reason == .inDoubt && only.contains(.unknown) ? nil : reason
  }

  /// How many unknown pushes are left out because the run was at most once.
  var leftOutUnknown: Int {
    push == nil && only.isEmpty && entry.record.atMostOnce ? entry.tally.unknown : 0
  }

  /// What was not accepted. With --at-most-once, unknown pushes have to be asked for.
  private var usual: [Outcome] {
    [.rejected, .deferred, .notAttempted] + (entry.record.atMostOnce ? [] : [.unknown])
  }
}

extension PushEntry {
  /// Whether APNs said that it does not know the device token, or not any more; a 410 that is older
  /// than the token's registration does not count.
  var hasDeadToken: Bool {
    guard outcome == .rejected, let response, response.deadToken != .no else { return false }
    guard let timestamp = response.timestamp, let registered else { return true }
    return registered <= timestamp / 1000
  }
}
