internal import APNS
internal import CommandLineKit
internal import HTTP2
internal import PlainText
internal import PushModel
internal import SQLiteHistory

/// Takes a run up where it was left.
struct Resuming {
  private static let toldRanges = 20

  let command: Resume
  let ledger: SQLiteLedger
  /// What another run has sent and is sent once more, because that is wanted; nil for nothing.
  let again: SentSince?
  /// The history's file.
  let history: String
  let context: Context

  func run() throws(Failure) -> ExitCode {
    guard let plan = ledger.plan, let settings = RunSettings(json: ledger.record.settings) else {
      throw Failure.damagedRun
    }
    if !command.force { try settings.compareLists() }
    let sending = try sending(settings)
    let cutOff = sending.resumed?.cutOff ?? []
    let rules = RuleContext(now: context.clock.epochSeconds)
    let message = try Message(ledger.record, settings, in: rules)
    let (server, signer) = try sending.place()
    let credentials = try signer.credentials(
      for: server.environment, sending.options.credentials, context)
    sayAgain()
    do throws(HistoryError) { try tell(plan) } catch { throw .history(error) }
    for (list, rows) in cutOff { sayCutOff(list, rows) }
    let code = try sending.send(message, at: server, as: credentials)
    return cutOff.isEmpty ? code : .merged([code, .unfinished])
  }

  /// The run's own options, and over them what this command says.
  private func sending(_ settings: RunSettings) throws(Failure) -> Sending {
    let options = try settings.options(command.server, command.credentials, command.telling)
    let resumed = try ResumedRun(
      ledger, settings, format: options.to.format.format, history: history)
    return Sending(
      options: options, scenario: nil, context: context.naming(options.server.profile),
      resumed: resumed, continuesResults: true,
      suppression: Suppression(resumed.suppressedSources, options, context))
  }

  private func sayAgain() {
    guard let again, !command.telling.quiet else { return }
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
  private func tell(_ plan: ResumePlan) throws(HistoryError) {
    guard !command.telling.quiet, plan.inDoubt > 0 else { return }
    let verdict = plan.resendsUnknown ? "they may arrive twice" : "they end unknown"
    context.errors.write("Pushes claimed and without an answer, \(verdict):\n")
    var count = 0
    try ledger.forEachInDoubt { range in
      count += 1
      guard command.telling.verbose || count <= Self.toldRanges else { return }
      context.errors.write("  \(plan.text(of: range))\n")
    }
    if count > Self.toldRanges, !command.telling.verbose {
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
