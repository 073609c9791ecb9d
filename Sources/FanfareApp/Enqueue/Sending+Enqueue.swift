internal import APNS
internal import PlainText
internal import Projects
internal import PushModel
internal import Recipients
internal import SQLQueue

// A run that is left to workers.
extension Sending {
  /// Puts a run into the queue, after all that is checked before it is sent.
  func enqueue(
    _ run: NewRun, _ message: Message, to destination: Destination
  ) throws(Failure) -> ExitCode {
    let location = try settings.queueLocation(context)
    let preview = try productionPreview(message, at: destination.server)
    try refuseRecipients(message)
    let recipients = try run.reader(message.values, settings, context)
    let credentials = try destination.credentialsForQueue(settings, context)
    try confirm(preview)
    let start = RunStart(
      message: message, identity: run.identity(given: message.apnsID, context.clock),
      settings: settings, server: destination.server, credentials: nil, context: context)
    return try Enqueue(settings: settings, context: context).run(recipients) {
      () throws(Failure) in
      let record = try start.record(of: run)
      let queue = try attempt(
        try Enqueuing.begin(record, credentials: credentials.text, at: location)
      ) { (error: HistoryError) in
        // Not `Failure.history`: that may advise to send without a history.
        Failure(error.sentence, fix: error.fix, cause: error)
      }
      let copies = ListCopies(queue.run, record, in: location, context)
      run.keep(copies)
      return Enqueue.Begun(queue: queue, lacksCopies: run.lacksCopies) {
        copies.removeAll(recipients: run.sources.count, suppressed: run.suppression.sources.count)
      }
    }
  }

  /// Says of a dry run with `--enqueue` what would become of the requests.
  func tellQueue(_ destination: Destination) throws(Failure) {
    guard settings.enqueue.isOn, !settings.quiet.isOn else { return }
    let place = HistoryLocation(try settings.queueLocation(context)).shown
    let credentials = try destination.credentialsForQueue(settings, context)
    context.say(
      "Without --dry-run they would be enqueued at \(place.printable), for workers with "
        + "\(credentials.words).")
  }
}

extension Message {
  /// Keeps what each row has for the payload; nil when all get the same.
  var values: (any RowRendering)? { rendering.map { ValueRows(for: $0) } }
}

// What goes with --enqueue, and what is the workers' own.
extension Settings {
  /// The settings of a run that is put into the queue: how to reach the service is left to the workers.
  ///
  /// - Throws: `Failure` when an option is for who sends, or the history has no queue.
  func forQueue(_ context: Context) throws(Failure) -> Settings {
    try refuseSendersOptions(beside: "--enqueue")
    if keepsHistory.isOff { throw .conflict("--enqueue", "--no-history") }
    _ = try queueLocation(context)
    if environment?.value == .auto { throw .conflict("--enqueue", "--env auto") }
    var kept = self
    (kept.ca, kept.port, kept.proxy, kept.broadcastHost) = (nil, nil, nil, nil)
    (kept.results, kept.deadTokens, kept.template, kept.tokenCache) = (nil, nil, nil, nil)
    return kept
  }

  /// - Throws: `Failure.usage` with the options that say how pushes are sent, or what becomes of results.
  func refuseSendersOptions(beside option: String) throws(Failure) {
    let origins = [
      watch?.origin, results?.origin, deadTokens?.origin, template?.origin, tlsKeyLog?.origin,
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
