internal import APNS
internal import HTTP2
internal import History
internal import PushModel
internal import Reporting
internal import SQLHistory
internal import SQLQueue
internal import Settings

// A run in the queue must be named. Resuming it means to join its workers, or to read on in its
// lists if the process that read them died or was stopped.
extension Resume {
  /// Continues the named run if it is in the queue; nil for any other.
  ///
  /// - Throws: `Failure`, also for `--now`, because all workers share the due times.
  func continueInQueue(of path: String) throws(Failure) -> Report? {
    guard let number, HistoryLocation(path).hasQueue else { return nil }
    let (history, run) = try storedRun(number, in: path)
    guard run.entry.state?.isInQueue ?? false else { return nil }
    let others = [
      ("--now", sendsEarly), ("--dry-run", options.dryRun.isOn), ("--plan", options.plan.isOn),
      ("--rate", options.rate != nil),
    ]
    if let option = others.first(where: \.1)?.0 {
      throw .usage("'\(option)' cannot be used with run \(number): it is in the queue.")
    }
    if run.entry.state == .enqueuing { return try enqueueRest(of: run, in: history) }
    var work = WorkOptions()
    work.settings = options
    return try Work(run: number, work, context).run()
  }

  /// Continues to read its lists. Nothing is sent.
  private func enqueueRest(of run: StoredRun, in history: HistoryReader) throws(Failure) -> Report {
    let entry = run.entry
    let queue = try answered(Enqueuing.resume(entry.run, at: history.path))
    let inputs = try inputs(queue.record, from: .run(entry.run, in: history.path))
    try options.refuseSendersOptions(beside: "resume \(entry.run)")
    var settings = try options.merged(over: inputs.settings.below(options), context)
    settings.enqueue = Setting(true, .storedRun)
    try settings.refuseUnknownFields(Outputs.enqueuing, context)
    let message = try Message(
      queue.record, inputs, in: RuleContext(now: context.clock.epochSeconds))
    let lists = try ReopenedLists(of: entry, in: history, inputs, settings, context)
    lists.tellCutOff(context)
    let choices = try RunChoices(settings, context)
    let recipients = try lists.recipients.reader(message.values, choices.lists, context)
    let report = try Enqueue(
      outputs: choices.outputs, history: choices.history?.name, context: context
    )
    .run(recipients, goesOn: true) {
      Enqueue.Begun(queue: queue, removeCopies: lists.removeCopies)
    }
    return report.merging(lists.cutOff.isEmpty ? nil : .unfinished)
  }
}
