internal import APNS
internal import History
internal import Projects
internal import PushModel
internal import Recipients

/// Pushes of a run that are sent again in a run of their own.
struct ResentPushes: RunSource {
  let suppression: Suppression

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

  func book(_ start: RunStart) throws(Failure) -> RunBook {
    guard let path = try start.settings.historyPath() else {
      return RunBook(nothing: start.context)
    }
    var record = start.record
    record.kind = .resend
    (record.scenario, record.step) = (entry.record.scenario, entry.record.step)
    var kept = try start.kept(sources, without: [])
    kept.resends = entry.run
    record.settings = kept.json
    defer { hold.release() }
    return try RunBook(
      record, list.lineage, at: path, claiming: sources.isOneToken ? 1 : 0, sources, suppression,
      spools, start.context)
  }
}
