internal import APNS
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import SQLHistory
internal import SQLQueue
internal import Settings

// A run that is left to workers.
extension SendPlanner {
  /// Adds a run to the queue, after all the checks that precede sending.
  func enqueue(
    _ run: NewRun, _ message: Message, to destination: Destination
  ) throws(Failure) -> Report {
    let location = try settings.queueLocation(context)
    let preview = try productionPreview(message, at: destination.server)
    try run.refuseRecipients(message)
    let plan = try SendPlan(settings, context)
    let recipients = try run.reader(message.values, plan.lists, context)
    let credentials = try destination.credentialsForQueue(settings, context)
    try confirm(preview)
    let start = RunStart(
      message: message, identity: run.identity(given: message.apnsID, context.clock),
      plan: plan, server: destination.server, credentials: nil, context: context)
    return try Enqueue(plan: plan, context: context).run(recipients) {
      () throws(Failure) in
      let record = try start.record(of: run)
      let queue = try attempt(
        try Enqueuing.begin(record, credentials: credentials.text, at: location)
      ) { (error: HistoryError) in
        // Not `Failure.history`, whose fix may suggest sending without a history.
        Failure(error.sentence, fix: error.fix, cause: error)
      }
      let copies = ListCopies(queue.run, record, in: location, context)
      run.keep(copies)
      return Enqueue.Begun(queue: queue, lacksCopies: run.lacksCopies) {
        copies.removeAll(recipients: run.sources.count, suppressed: run.suppression.sources.count)
      }
    }
  }
}

extension Failure {
  /// Workers cannot reach the emulator or the inbox of this process or machine.
  fileprivate static func emulatorOfWorkers(_ name: String) -> Failure {
    Failure(
      "'--enqueue' leaves the sending to workers, and none can send to the \(name) from here.",
      fix: "Give --env sandbox or production, or --server URL; or leave out --enqueue.")
  }
}

extension Message {
  /// Extracts the row values that the payload needs; nil when all payloads are the same.
  var values: (any RowRendering)? { rendering.map { ValueRows(for: $0) } }
}

// Options that suit --enqueue, and options that belong to workers.
extension Settings {
  /// The settings of an enqueued run, without those for connecting, which are left to workers.
  ///
  /// - Throws: `Failure` when an option concerns sending, or the history has no queue.
  func forQueue(_ context: Context) throws(Failure) -> Settings {
    try refuseSendersOptions(beside: "--enqueue")
    if keepsHistory.isOff { throw .conflict("--enqueue", "--no-history") }
    _ = try queueLocation(context)
    if environment?.value == .auto { throw .conflict("--enqueue", "--env auto") }
    if let local = environment?.value, local.isEmulator { throw .emulatorOfWorkers(local.shown) }
    var kept = self
    (kept.ca, kept.port, kept.proxy, kept.broadcastHost) = (nil, nil, nil, nil)
    (kept.results, kept.deadTokens, kept.template, kept.tokenCache) = (nil, nil, nil, nil)
    return kept
  }

  /// - Throws: `Failure.usage` for options about how pushes are sent or where results go.
  func refuseSendersOptions(beside option: String) throws(Failure) {
    let origins = [
      watch?.origin, results?.origin, resultsFormat?.origin, deadTokens?.origin, template?.origin,
      tlsKeyLog?.origin,
      tokenCache?.origin, ca?.origin, port?.origin, proxy?.origin, broadcastHost?.origin,
    ]
    let given = origins.compactMap { $0 }.filter(\.isOption).map { "'\($0.text)'" }
    if let last = given.last {
      let names = [given.dropLast().joined(separator: ", "), last].filter { !$0.isEmpty }
      throw .usage(
        "\(names.joined(separator: " and ")) cannot be used with '\(option)': give "
          + "\(given.count == 1 ? "it" : "them") to 'fanfare work', which sends.")
    }
  }
}
