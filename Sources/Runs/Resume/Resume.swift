internal import APNS
internal import HTTP2
internal import PlainText
package import PushModel
package import Reporting
package import Settings

/// Continues a run from where it ended.
package struct Resume {
  /// The run; nil for the newest with something left.
  let number: RunNumber?
  /// The run was given by its number.
  let isNamed: Bool
  /// Sends deferred pushes before they are due.
  let sendsEarly: Bool
  /// Continues even if lists have changed, or another run has sent what is left.
  let force: Bool
  /// The options on the command line, which take precedence over the run's own settings.
  let options: Settings
  let context: Context

  package init(
    number: RunNumber?, isNamed: Bool, sendsEarly: Bool, force: Bool, options: Settings,
    context: Context
  ) {
    (self.number, self.isNamed) = (number, isNamed)
    (self.sendsEarly, self.force) = (sendsEarly, force)
    (self.options, self.context) = (options, context)
  }

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func run() throws(Failure) -> Report {
    let telling = try options.merged(reading: [.telling], context)
    let path = try telling.requiredHistoryPath(context)
    if let report = try continueInQueue(of: path) { return report }
    guard let number else { return try resumeNewest(in: path, telling) }
    return try resume(number, in: path) ?? Report()
  }

  /// - Returns: nil if the run was passed over, after a message.
  func resume(_ run: RunNumber, in path: String) throws(Failure) -> Report? {
    switch try take(run, in: path) {
    case .run(let ledger, let elsewhere): try resume(ledger, elsewhere, in: path)
    case .over(let report): report
    case .waiting(let failure): throw failure
    case .passedOver: nil
    }
  }

  func resume(
    _ ledger: RunLedger, _ elsewhere: SentElsewhere, in path: String
  ) throws(Failure) -> Report {
    let inputs = try inputs(ledger.record, from: .run(ledger.run, in: path))
    let settings = try options.merged(over: inputs.settings.below(options), context)
    let (history, stored) = try storedRun(ledger.run, in: path)
    let lists = try ReopenedLists(of: stored.entry, in: history, inputs, settings, context)
    let isOfStep = ledger.record.resultStep != nil
    try settings.refuseUnknownFields(Outputs.summary, isOfStep: isOfStep, context)
    let message = try Message(
      ledger.record, inputs, in: RuleContext(now: context.clock.epochSeconds))
    guard let resuming = ledger.resuming else { throw .damagedRun }
    let committed = CommittedRun(readingRowsOf: stored.entry, in: history, context)
    let resumed = ResumedRun(
      ledger: ledger, resuming: resuming, lists: lists, committed: committed, inputs: inputs,
      isNamed: isNamed)
    var order = RunOrder(settings, .stored(message), to: lists.recipients, .resumed(resumed))
    order.devices = try devices(of: resumed)
    order.earlierLists = stored.listFiles(in: history, context)
    order.announce = { (server) throws(Failure) in
      try announce(resumed, elsewhere, settings, at: server)
    }
    return try order.carryOut(context).merging(lists.lost == nil ? nil : .unfinished)
  }

  private func announce(
    _ resumed: ResumedRun, _ elsewhere: SentElsewhere, _ settings: Settings, at server: ServerChoice
  ) throws(Failure) {
    context.teller.note(
      RunRemainder(plan: resumed.resuming.plan, server: server, now: context.now).text)
    if settings.sendNothing { return }
    try tell(elsewhere, resumed)
    try tellFiles(resumed, settings)
  }

  /// The stored inputs of the run, after a check that its lists are unchanged.
  func inputs(_ record: RunRecord, from origin: Origin) throws(Failure) -> RunInputs {
    guard let inputs = RunInputs(json: record.settings, from: origin) else { throw .damagedRun }
    // Pushes are identified by a number that counts across all lists.
    for case .list(let list) in inputs.recipients.dropLast() {
      try list.refuseChangedContent(at: inputs.fromHere(list.path))
    }
    if force {
      // A fingerprint of a list proves that it was once read; the file may have any contents now.
      let files = inputs.lists.filter { $0.fingerprint != nil }.map { inputs.fromHere($0.path) }
      try ProjectTrust(options, reading: files, of: origin, context).require()
    } else {
      for list in inputs.lists { try list.refuseChanged(at: inputs.fromHere(list.path)) }
    }
    return inputs
  }

  /// The named devices among the single device tokens of the run, or of the one whose pushes it
  /// resends, if the command line says where to send.
  private func devices(of resumed: ResumedRun) throws(Failure) -> [Device] {
    let named = try options.devicesByToken(context)
    if named.isEmpty { return [] }
    let runs = StoredRun(resumed.committed.entry).ancestry(in: resumed.committed.history)
    return runs.last?.settings?.tokens.flatMap { named[$0.hex] ?? [] } ?? []
  }

  // MARK: Output

  private func tell(_ elsewhere: SentElsewhere, _ resumed: ResumedRun) throws(Failure) {
    if !elsewhere.isEmpty {
      context.teller.note(
        "Of what is left of run \(elsewhere.run), \(elsewhere.counts): --force sends them once more."
      )
    }
    try answered(tellInDoubt(resumed.resuming))
    tellInDoubt(elsewhere: elsewhere.mayArriveTwice)
    resumed.lists.tellCutOff(context)
    tellUnread(resumed)
  }

  /// Reports the run's files of results that this pass does not write.
  private func tellFiles(_ resumed: ResumedRun, _ settings: Settings) throws(Failure) {
    let left = resumed.inputs.files.missing(in: RunOutputFiles(settings))
    if left.isEmpty { return }
    let names = left.paths.map(\.printable).joined(separator: " and ")
    var hint = ResumeHint(
      run: resumed.ledger.run.rawValue, history: try HistoryChoice(settings)?.name, due: nil)
    (hint.files, hint.config) = (left, context.configuration.named ?? resumed.inputs.config)
    context.teller.note(
      "\(names) \(left.paths.count == 1 ? "is" : "are") not written in this pass; afterwards, "
        + "'\(hint.command ?? "")' adds what is missing.")
  }

  private func tellUnread(_ resumed: ResumedRun) {
    guard let unread = resumed.earlier.unread, resumed.lists.lost == nil else { return }
    context.teller.note("Not read yet: \(unread.words).")
  }

  /// Reports the pushes that may arrive twice.
  private func tellInDoubt(_ resuming: any ResumeLedger) throws(HistoryError) {
    let plan = resuming.plan
    if context.teller.level == .quiet { return }
    if let text = plan.textOfAnswered { context.teller.note(text) }
    if plan.inDoubt == 0 { return }
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
    if !plan.hasNotes {
      context.teller.note(
        "This machine has no notes of the answers: some of these pushes may have been answered "
          + "in the last 200 ms of that pass.")
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

  /// The pushes whose answers were noted; nil when there are none.
  fileprivate var textOfAnswered: String? {
    if answered == 0 { return nil }
    let (pushes, rest) =
      answered == 1
      ? ("1 push was", "its answer is") : ("\(grouped(answered)) pushes were", "their answers are")
    return "\(pushes) answered just before that pass ended; \(rest) recorded now."
  }

  /// A range of pushes in doubt. Claims run ahead of the lists, so it may exceed the real pushes.
  fileprivate func text(of range: ClosedRange<UInt64>) -> String {
    if last == nil, range.upperBound == claimed {
      return "\(range.lowerBound)-\(range.upperBound), or to the end of the lists"
    }
    return RangeLines.text(of: range)
  }
}
