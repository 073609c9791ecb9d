internal import APNS
internal import HTTP2
internal import PlainText
package import Projects
package import PushModel

/// Continues a run where it ended.
package struct Resume {
  private static let shownRanges = 20

  /// The run; nil for the newest with something left.
  let number: RunNumber?
  /// Whether deferred pushes are sent before they are due.
  let sendsEarly: Bool
  /// Whether to go on although lists have changed, or another run has sent what is left.
  let force: Bool
  /// What the command line says, which comes before the run's own settings.
  let options: Settings
  let context: Context

  package init(
    number: RunNumber?, sendsEarly: Bool, force: Bool, options: Settings, context: Context
  ) {
    (self.number, self.sendsEarly, self.force) = (number, sendsEarly, force)
    (self.options, self.context) = (options, context)
  }

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func run() throws(Failure) -> ExitCode {
    let telling = try options.merged(reading: [.telling], context)
    let path = try telling.requiredHistoryPath()
    guard let (ledger, again) = try find(in: path) else { return .success }
    let inputs = try inputs(ledger)
    let settings = try options.merged(over: inputs.settings.below(options), context)
    let (history, stored) = try storedRun(ledger.run, in: path)
    let resumed = try ResumedRun(
      ledger, after: CommittedRun(readingRowsOf: stored.entry, in: history), inputs, settings,
      context)
    try settings.refuseUnknownFields(Outputs.summary, isOfStep: resumed.step != nil, context)
    let message = try Message(
      ledger.record, inputs, in: RuleContext(now: context.clock.epochSeconds))
    let sending = Sending(
      settings: settings, run: resumed, resources: RunResources(), context: context)
    let destination = try sending.destination()
    let credentials = try destination.credentials.open(for: destination.server.environment, context)
    let rest = RunRest(ledger, at: destination.server, now: context.now)
    if !options.quiet.isOn, let rest { context.say(rest.text) }
    try tell(again, resumed)
    if !settings.quiet.isOn { CredentialWarning.tell(credentials.warnings, context) }
    if let rest, rest.needsConsent, !settings.yes.isOn { try confirm(rest) }
    let recipients = try sending.recipients(message)
    let code = try sending.finish(
      message, to: recipients, at: destination.server, as: credentials)
    return resumed.cutOff.isEmpty ? code : .merged([code, .unfinished])
  }

  private func inputs(_ ledger: any RunLedger) throws(Failure) -> RunInputs {
    guard ledger.plan != nil, let inputs = RunInputs(json: ledger.record.settings) else {
      throw .damagedRun
    }
    if force { return inputs }
    let lists = inputs.recipients.compactMap { if case .list(let list) = $0 { list } else { nil } }
    for list in lists + inputs.suppressed {
      try list.refuseChanged(at: inputs.fromHere(list.path))
    }
    return inputs
  }

  /// - Throws: `Failure.notConfirmed` unless the answer is yes; the run stays as it was.
  private func confirm(_ rest: RunRest) throws(Failure) {
    let facts = options.quiet.isOn ? rest.text + "\n" : ""
    if context.confirms(facts + "Send what is left? [y/N] ") == false { throw .notConfirmed }
  }

  // MARK: Telling

  private func tell(_ again: SentSince?, _ resumed: ResumedRun) throws(Failure) {
    if let again, !options.quiet.isOn {
      context.say(
        "Of what is left of run \(again.run), \(again.counts): --force sends them once more.")
    }
    do throws(HistoryError) { try tellInDoubt(resumed.ledger) } catch { throw .history(error) }
    for (list, rows) in resumed.cutOff { tellCutOff(list, rows) }
    tellUnread(resumed)
  }

  private func tellUnread(_ resumed: ResumedRun) {
    guard let unread = resumed.earlier.unread, resumed.cutOff.isEmpty, !options.quiet.isOn else {
      return
    }
    context.say("Run \(resumed.ledger.run) still has to read \(unread.words).")
  }

  /// Even with --quiet, because nothing else tells that recipients are lost.
  private func tellCutOff(_ list: String, _ rows: Int) {
    let name = list == "-" ? "standard input" : list.printable
    let known = rows == 1 ? "1 line is known" : "\(grouped(rows)) lines are known"
    context.say(
      "\(name) was not read to its end: \(known). This run cannot reach the others: send to them "
        + "anew.")
  }

  /// Says which pushes may arrive twice.
  private func tellInDoubt(_ ledger: any RunLedger) throws(HistoryError) {
    guard let plan = ledger.plan, !options.quiet.isOn, plan.inDoubt > 0 else { return }
    let verdict = plan.resendsUnknown ? "may arrive twice" : "end unknown"
    let most = counted(plan.inDoubt, "push", plural: "pushes")
    context.say("At most \(most) may have been sent without an answer, and \(verdict):")
    var count = 0
    try ledger.forEachInDoubt { range in
      count += 1
      guard options.verbose.isOn || count <= Self.shownRanges else { return }
      context.say("  \(plan.text(of: range))")
    }
    if count > Self.shownRanges, !options.verbose.isOn {
      context.say("  and \(counted(count - Self.shownRanges, "more range")); -v tells all")
    }
    if let end = plan.endOfSent { context.say("No push after number \(grouped(end)) was sent.") }
  }
}

extension ResumePlan {
  /// The highest push that may have been sent; nil when all may have been.
  fileprivate var endOfSent: Int? { last.map { claimed < $0 } ?? true ? Int(claimed) : nil }

  /// A range of pushes in doubt. Claims are made ahead, so there may be fewer than claimed.
  fileprivate func text(of range: ClosedRange<UInt64>) -> String {
    let (first, end) = (range.lowerBound, range.upperBound)
    if last == nil, end == claimed { return "\(first)-\(end), as far as the lists go" }
    return first == end ? "\(first)" : "\(first)-\(end)"
  }
}
