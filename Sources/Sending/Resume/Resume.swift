internal import APNS
internal import HTTP2
internal import Opening
internal import PlainText
package import PushModel
package import Reporting
internal import Runs
package import Settings

/// Continues a run from where it ended.
package struct Resume {
  /// The run; nil for the newest with something left.
  let number: RunNumber?
  /// Sends deferred pushes before they are due.
  let sendsEarly: Bool
  /// Continues even if lists have changed, or another run has sent what is left.
  let force: Bool
  /// The options on the command line, which take precedence over the run's own settings.
  let options: Settings
  let context: Context

  package init(
    number: RunNumber?, sendsEarly: Bool, force: Bool, options: Settings, context: Context
  ) {
    (self.number, self.sendsEarly, self.force) = (number, sendsEarly, force)
    (self.options, self.context) = (options, context)
  }

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func run() throws(Failure) -> Report {
    let telling = try options.merged(reading: [.telling], context)
    let path = try telling.requiredHistoryPath(context)
    if let code = try continueInQueue(of: path) { return code }
    guard let (ledger, again) = try find(in: path) else { return Report() }
    guard let resuming = ledger.resuming else { throw .damagedRun }
    let inputs = try inputs(ledger.record, from: .run(ledger.run, in: path))
    let settings = try options.merged(over: inputs.settings.below(options), context)
    let (history, stored) = try storedRun(ledger.run, in: path)
    let resumed = try ResumedRun(
      ledger, after: CommittedRun(readingRowsOf: stored.entry, in: history, context), inputs,
      settings, context)
    try settings.refuseUnknownFields(Outputs.summary, isOfStep: resumed.step != nil, context)
    let message = try Message(
      ledger.record, inputs, in: RuleContext(now: context.clock.epochSeconds))
    let planner = SendPlanner(
      settings: settings, run: resumed, resources: RunResources(), context: context)
    let destination = try planner.destination()
    let credentials = try destination.credentials.open(for: destination.server.environment, context)
    let rest = RunRemainder(resuming.plan, at: destination.server, now: context.now)
    context.teller.note(rest.text)
    try tell(again, resumed, resuming)
    context.teller.note(credentials.warnings.parts)
    if rest.needsConsent, !settings.yes.isOn { try confirm(rest) }
    let sending = try planner.sending()
    let recipients = try sending.recipients(message)
    let report = try sending.finish(
      message, to: recipients, at: destination.servers, as: credentials)
    return report.merging(resumed.lists.cutOff.isEmpty ? nil : .unfinished)
  }

  /// The stored inputs of the run, after a check that its lists are unchanged.
  func inputs(_ record: RunRecord, from origin: Origin) throws(Failure) -> RunInputs {
    guard let inputs = RunInputs(json: record.settings, from: origin) else { throw .damagedRun }
    // Pushes are identified by a number that counts across all lists.
    for case .list(let list) in inputs.recipients.dropLast() {
      try list.refuseChangedContent(at: inputs.fromHere(list.path))
    }
    let lists =
      inputs.recipients.compactMap { if case .list(let list) = $0 { list } else { nil } }
      + inputs.suppressed
    if force {
      // A fingerprint of a list proves that it was once read; the file may have any contents now.
      let files = lists.filter { $0.fingerprint != nil }.map { inputs.fromHere($0.path) }
      try ProjectTrust(options, reading: files, of: origin, context).require()
    } else {
      for list in lists { try list.refuseChanged(at: inputs.fromHere(list.path)) }
    }
    return inputs
  }

  /// - Throws: `Failure.notConfirmed` unless the answer is yes; the run is unchanged then.
  private func confirm(_ rest: RunRemainder) throws(Failure) {
    let facts = context.teller.level == .quiet ? rest.text + "\n" : ""
    if context.teller.confirms(facts + "Send what is left? [y/N] ") == false { throw .notConfirmed }
  }

  // MARK: Output

  private func tell(
    _ again: SentElsewhere?, _ resumed: ResumedRun, _ resuming: any ResumeLedger
  ) throws(Failure) {
    if let again, !again.isEmpty {
      context.teller.note(
        "Of what is left of run \(again.run), \(again.counts): --force sends them once more.")
    }
    do throws(HistoryError) { try tellInDoubt(resuming) } catch { throw .history(error) }
    if let again { tellInDoubt(elsewhere: again.mayArriveTwice) }
    resumed.lists.tellCutOff(context)
    tellUnread(resumed)
  }

  private func tellUnread(_ resumed: ResumedRun) {
    guard let unread = resumed.earlier.unread, resumed.lists.cutOff.isEmpty else { return }
    context.teller.note("Not read yet: \(unread.words).")
  }

  /// Reports the pushes that may arrive twice.
  private func tellInDoubt(_ resuming: any ResumeLedger) throws(HistoryError) {
    let plan = resuming.plan
    if plan.inDoubt == 0 || context.teller.level == .quiet { return }
    let verdict = plan.resendsUnknown ? "may arrive twice" : "end unknown"
    let most = counted(plan.inDoubt, "push", plural: "pushes")
    context.teller.note("At most \(most) may have been sent without an answer, and \(verdict):")
    var lines = RangeLines(isVerbose: options.verbose.isOn)
    try resuming.forEachInDoubt { range in
      if let line = lines.line(plan.text(of: range)) { context.teller.note(line) }
    }
    if let rest = lines.rest { context.teller.note(rest) }
    if let end = plan.endOfSent {
      context.teller.note("No push after number \(grouped(end)) was sent.")
    }
  }

  /// Reports the pushes that may arrive twice because another run has sent them.
  private func tellInDoubt(elsewhere pushes: PushRanges) {
    if pushes.count == 0 || context.teller.level == .quiet { return }
    let most = counted(pushes.count, "push", plural: "pushes")
    context.teller.note(
      "At most \(most) may have been sent by another run without an answer, and may arrive twice:")
    for line in RangeLines.lines(of: pushes, isVerbose: options.verbose.isOn) {
      context.teller.note(line)
    }
  }
}

extension ResumePlan {
  /// The number of the last push that may have been sent; nil when all may have been.
  fileprivate var endOfSent: Int? { last.map { claimed < $0 } ?? true ? Int(claimed) : nil }

  /// A range of pushes in doubt. Claims run ahead of the lists, so it may exceed the real pushes.
  fileprivate func text(of range: ClosedRange<UInt64>) -> String {
    if last == nil, range.upperBound == claimed {
      return "\(range.lowerBound)-\(range.upperBound), or to the end of the lists"
    }
    return RangeLines.text(of: range)
  }
}
