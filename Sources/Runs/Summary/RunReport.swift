internal import Delivery
internal import HTTP2
internal import PushModel
package import Reporting
internal import Settings

/// What a run came to, once it is closed in the history.
package struct RunReport {
  package let summary: SummaryReport
  /// The results missing from the history; nil when it has all.
  package private(set) var unrecorded: Unrecorded?
  /// The failure to keep all results, or to find a recipient; nil when there was none.
  package private(set) var loss: Failure?
  /// The command that adds what files of results lack; nil if they lack nothing, or none does.
  private var completing: String?
  /// There were no recipients, which is an error.
  let isEmpty: Bool

  private let plan: RunPlan

  /// Records the end of a run, and saves results missing from the history.
  package init(closing finished: FinishedRun) {
    let (run, report) = (finished.run, finished.report)
    plan = run.plan
    var summary = SummaryReport(finished)
    let lost = run.recorded.close(
      report, summary.ending(at: plan.context.clock.epochMilliseconds()))
    summary.run = run.recorded.number
    summary.resumeHint = run.recorded.resumeHint(of: plan)
    self.summary = summary
    isEmpty =
      report.summary.recipients.lines == 0 && report.stopCause == nil
      && !plan.recipients.mayBeEmpty
    if isEmpty {
      loss = .noRecipients
      return
    }
    unrecorded = lost.map { Unrecorded(error: $0.error) }
    var losses = run.outputs.failures.map { Failure.lostOutput($0, after: summary.report.exitCode) }
    do throws(Failure) {
      try save(lost?.results ?? [], of: run)
    } catch {
      losses.append(error)
    }
    loss = losses.count > 1 ? .several(losses) : losses.first
    if !run.outputs.failures.isEmpty { completing = run.recorded.completingCommand(of: plan) }
  }

  /// The report of a command's only run.
  ///
  /// - Throws: `Failure` when there were no recipients.
  func report() throws(Failure) -> Report {
    if isEmpty { throw .noRecipients }
    var report = plan.outputs.form.report(
      summary.parts, forPeople: summary.partsForPeople, complaint: summary.complaint,
      summary.report.stopCause)
    report.after = notices + emptyFields + (loss?.parts() ?? []) + completion
    report.exitCode = plan.context.signals.received ?? loss?.exitCode ?? exitCode
    return report
  }

  /// Messages that are printed even with `--quiet`, because nothing else reports what they say.
  var notices: [Report.Part] {
    let gone = summary.report.gone.flatMap { $0.count > 0 ? Report.Part.gone($0) : nil }
    return [gone].compactMap(\.self) + (unrecorded?.parts(after: summary.report.stopCause) ?? [])
  }

  private var completion: [Report.Part] {
    completing.map { [.lines(["  Once there is room, '\($0)' adds what is missing."])] } ?? []
  }

  /// The exit code, unless a signal ended the command.
  private var exitCode: ExitCode {
    .merged([summary.report.exitCode, unrecorded == nil ? .success : .failure])
  }

  /// A warning of fields chosen for JSON that are null, because the run has no only push.
  private var emptyFields: [Report.Part] {
    let names = plan.outputs.form.fieldsOfPush
    if names.isEmpty || summary.report.onlyResult != nil { return [] }
    let (total, are) = (summary.report.summary.total, names.count == 1 ? "is" : "are")
    return [
      .warning(
        "\(names.joined(separator: ", ")) \(are) null: a run of "
          + "\(counted(total, "push", plural: "pushes")) has no single one.",
        "--results FILE writes a line for each push.")
    ]
  }
}

// Results missing from the history.
extension RunReport {
  /// Saves them where `resume` finds them. If that fails, they are in the file of `--results`, or in
  /// one of their own, which it then has to be given.
  private mutating func save(_ results: [PushResult], of run: OpenRun) throws(Failure) {
    if results.isEmpty { return }
    var hint = summary.resumeHint
    let isQueued = plan.origin.shared != nil
    if let path = savedResults(of: run)?.save(results, apnsID: summary.report.apnsID) {
      unrecorded?.saved = path
      unrecorded?.taking = isQueued ? hint.command("work") : hint.command
    } else {
      let path = try fallBack(results, of: run)
      hint.files = hint.files.with(results: path)
      unrecorded?.saved = path
      unrecorded?.taking = isQueued ? nil : hint.command
    }
  }

  /// The place for a run's results; nil without a history.
  private func savedResults(of run: OpenRun) -> SavedResults? {
    guard run.recorded.number != nil, let ledger = run.recorded.ledger, let history = plan.history
    else { return nil }
    return SavedResults(of: ledger.run, ledger.record, in: history.location, plan.context)
  }

  /// - Returns: the path of the file that has the results.
  private func fallBack(_ results: [PushResult], of run: OpenRun) throws(Failure) -> String {
    if let path = plan.outputs.results, isPlainFile(path), !isOpenDescriptor(path),
      !run.outputs.hasLostResults
    {
      return path
    }
    let (report, context) = (summary.report, plan.context)
    let number = run.recorded.ledger?.run.rawValue ?? 0
    let chance = context.clock.random()
    let name = "fanfare-run-\(number)-\(String(chance, radix: 36)).jsonl"
    var file = try ResultFile(
      "\(context.temporaryFolder)/\(name)", of: plan.origin.step, listing: plan.outputs.listed,
      context)
    _ = try file.begin(continues: false)
    file.write(results, apnsID: report.apnsID)
    if let failure = file.failure { throw .lostOutput(failure, after: report.exitCode) }
    return file.path
  }
}

extension Report.Part {
  /// Recipients that are lost, which nothing else reports.
  fileprivate static func gone(_ gone: GoneRecipients) -> Self {
    let (count, doubt) = (gone.count, gone.inDoubt)
    let text =
      "\(counted(count, "recipient")) \(count == 1 ? "is" : "are") no longer in the list. Nothing more "
      + "is sent to \(count == 1 ? "it" : "them")."
      + (doubt == 0 ? "" : " \(grouped(doubt)) of them may have got the push.")
    return .lines([StyledText(text)])
  }
}

/// Results that could not be written to the history.
package struct Unrecorded {
  let error: HistoryError
  /// The file they were saved to; nil when there is none.
  var saved: String?
  /// The command that takes them from there; nil if none does.
  var taking: String?

  /// Sentences about that file; none without one.
  private var place: [String] {
    let file = saved.map { "The results that it lacks are in \($0)." }
    return [file, taking.map { "They are taken from there by: \($0)" }].compactMap(\.self)
  }

  /// The error, unless it stopped the run, which is reported already; and where the results are.
  fileprivate func parts(after cause: StopCause?) -> [Report.Part] {
    let isTold = if case .history = cause { true } else { false }
    return (isTold ? [] : [.failure(error.sentence, error.fix)])
      + (place.isEmpty ? [] : [.lines(place.map { StyledText("  \($0)") })])
  }

  /// The failure to record results. The sending itself was done and would have ended with `code`.
  package func failure(after code: ExitCode) -> Failure {
    let fix = ([error.fix] + place).joined(separator: " ")
    return Failure(error.sentence, fix: fix, .merged([code, .failure]), cause: error)
  }
}
