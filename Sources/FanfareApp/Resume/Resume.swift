internal import APNS
internal import HTTP2
internal import PlainText
internal import Projects
internal import PushModel

/// Takes a run up where it was left.
struct Resume {
  private static let toldRanges = 20

  /// The run; nil for the newest with something left.
  let number: RunNumber?
  /// Whether deferred pushes are sent before they are due.
  let sendsEarly: Bool
  /// Whether to go on although lists have changed, or another run has sent what is left.
  let force: Bool
  /// What the command line says, which comes before the run's own settings.
  let options: Settings
  let context: Context

  func run() throws(Failure) -> ExitCode {
    let named = try options.merged(reading: [.telling], context)
    guard let path = try named.historyPath() else { throw .nothingWrittenDown }
    var search = UnfinishedRun(self, in: path, context)
    guard let (ledger, again) = try search.find() else { return .success }
    let (plan, kept) = try stored(ledger)
    let settings = try settings(kept)
    let resumed = try ResumedRun(ledger, kept, settings, history: path, context)
    let message = try Message(
      ledger.record, kept, in: RuleContext(now: context.clock.epochSeconds))
    let sending = Sending(
      settings: settings, run: resumed, means: SendingMeans(places: CommonPlaces()),
      context: context)
    let destination = try Destination(settings, to: resumed.sources, context)
    let credentials = try destination.credentials.open(for: destination.server.environment, context)
    try tell(again, plan, resumed)
    if !settings.quiet.isOn { CredentialWarning.tell(credentials.warnings, context) }
    let recipients = try sending.recipients(message)
    let code = try sending.finish(
      message, to: recipients, at: destination.server, as: credentials)
    return resumed.cutOff.isEmpty ? code : .merged([code, .unfinished])
  }

  /// What the history holds of the run.
  private func stored(_ ledger: any RunLedger) throws(Failure) -> (ResumePlan, RunSettings) {
    guard let plan = ledger.plan, let kept = RunSettings(json: ledger.record.settings) else {
      throw .damagedRun
    }
    if !force { try kept.compareLists() }
    return (plan, kept)
  }

  private func settings(_ kept: RunSettings) throws(Failure) -> Settings {
    try options.merged(over: kept.settings.below(options), context)
  }

  // MARK: Telling

  private func tell(
    _ again: SentSince?, _ plan: ResumePlan, _ resumed: ResumedRun
  ) throws(Failure) {
    if let again { say(again) }
    do throws(HistoryError) { try tell(plan, resumed.ledger) } catch { throw .history(error) }
    for (list, rows) in resumed.cutOff { sayCutOff(list, rows) }
  }

  private func say(_ again: SentSince) {
    if options.quiet.isOn { return }
    context.errors.write(
      "Of what is left of run \(again.run), \(again.counts): --force sends them once more.\n")
    context.errors.flush()
  }

  /// Says that recipients are lost, for nobody else will.
  private func sayCutOff(_ list: String, _ rows: Int) {
    let name = list == "-" ? "standard input" : list.printable
    let known = rows == 1 ? "1 line is known" : "\(grouped(rows)) lines are known"
    context.errors.write(
      """
      \(name) was not read to its end: \(known). This run cannot reach the others: send to them \
      anew.

      """)
    context.errors.flush()
  }

  /// Says which pushes may arrive twice.
  private func tell(_ plan: ResumePlan, _ ledger: any RunLedger) throws(HistoryError) {
    guard !options.quiet.isOn, plan.inDoubt > 0 else { return }
    let verdict = plan.resendsUnknown ? "they may arrive twice" : "they end unknown"
    context.errors.write("Pushes claimed and without an answer, \(verdict):\n")
    var count = 0
    try ledger.forEachInDoubt { range in
      count += 1
      guard options.verbose.isOn || count <= Self.toldRanges else { return }
      context.errors.write("  \(plan.text(of: range))\n")
    }
    if count > Self.toldRanges, !options.verbose.isOn {
      context.errors.write(
        "  and \(counted(count - Self.toldRanges, "more range")); -v tells all\n")
    }
    context.errors.flush()
  }
}

extension RunSettings {
  /// - Throws: `Failure.listChanged` when a list is not what it was.
  fileprivate func compareLists() throws(Failure) {
    let lists = recipients.compactMap { if case .list(let list) = $0 { list } else { nil } }
    for list in lists + suppressed {
      guard let known = list.fingerprint else { continue }
      try Self.compare(fromHere(list.path), with: known)
    }
  }
}

extension ResumePlan {
  /// A range of pushes in doubt. Claims are made ahead: nobody knows yet whether there are so many.
  fileprivate func text(of range: ClosedRange<UInt64>) -> String {
    let (first, end) = (range.lowerBound, range.upperBound)
    if last == nil, end == claimed { return "\(first)-\(end), as far as the lists go" }
    return first == end ? "\(first)" : "\(first)-\(end)"
  }
}
