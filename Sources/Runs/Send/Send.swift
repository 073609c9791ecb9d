internal import APNS
internal import Delivery
internal import History
internal import PushModel
internal import Recipients
package import Reporting
package import Settings

/// Sends a notification described by options.
package struct Send {
  private let options: Settings
  private let context: Context

  /// - Parameter options: the options on the command line.
  package init(options: Settings, context: Context) {
    (self.options, self.context) = (options, context)
  }

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func run() throws(Failure) -> Report {
    try options.refuseTwoInputs(context)
    try options.refuseUnknownFields(Outputs.summary, context)
    let settings = try options.merged(context)
    return try Self.send(settings, context)
  }

  /// Sends according to merged settings.
  ///
  /// - Parameter tell: announces the run, or refuses it, once it is known.
  static func send(
    _ settings: Settings, _ context: Context,
    tell: (Message) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> Report {
    let settings = settings.enqueue.isOn ? try settings.forQueue(context) : settings
    let sources = settings.recipientSources
    let watch = settings.watch.isOn ? try Watch(settings, context) : nil
    let run = NewRun(sources: sources, suppression: try Suppression(settings, context))
    let planner = SendPlanner(
      settings: settings, run: run,
      resources: RunResources(links: watch.map { _ in LinkPools() }), context: context)
    try settings.refuseIdleBroadcastHost()
    try planner.refuseMissing()
    let destination = try planner.destination()
    try settings.refuseNothing()
    let check = { () throws(Failure) in
      try CheckedMessage(DraftAssembly(settings, context), settings, destination, context)
    }
    let checked = if let watch { try watch.firstGood(check) } else { try check() }
    let message = checked.message
    try tell(message)
    checked.tell(context)
    let odd = try sources.oddToken(for: destination.server.named, settings)
    if let odd { context.teller.note([.oddToken(odd)]) }
    if settings.dryRun.isOn { return try planner.dryRun(message, destination) }
    if settings.enqueue.isOn { return try planner.enqueue(run, message, to: destination) }
    let sending = try planner.sending()
    let preview = try planner.productionPreview(message, at: destination.server)
    let recipients = try sending.recipients(message)
    let credentials = try destination.open(settings, context)
    try planner.confirm(preview)
    let report = try sending.finish(
      message, to: recipients, at: destination.servers, as: credentials)
    guard let watch else { return report }
    return watch.sendAgain(sending, to: destination, as: credentials, after: report)
  }
}

extension Settings {
  /// Refuses a broadcast host without a channel.
  fileprivate func refuseIdleBroadcastHost() throws(Failure) {
    if let host = broadcastHost, host.origin.isOption, channel == nil {
      throw .usage("'--broadcast-host' is for pushes to a channel: give --channel ID.")
    }
  }

  /// Refuses two options that read standard input.
  package func refuseTwoInputs(_ context: Context) throws(Failure) {
    try context.readInput(for: readingStandardInput.map { "\($0) -" })
  }
}

/// Repeats an earlier `fanfare send`: with its settings unless the command line has others, and
/// with its files as they are now.
package struct SendAgain {
  private let place: HistoryReference
  private let options: Settings
  private let context: Context

  /// - Parameters:
  ///   - place: the run, or the only push of it to repeat.
  ///   - options: the options on the command line.
  package init(_ place: HistoryReference, options: Settings, context: Context) {
    (self.place, self.options, self.context) = (place, options, context)
  }

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func run() throws(Failure) -> Report {
    let options = try options.findingDevices(context)
    let repeated = try RepeatedRun(at: place, in: try options.openHistory(context))
    let layer = try repeated.layer(below: options).renewingDevices(context)
    let said = options.over(layer)
    try repeated.refuseGone(said)
    try said.refuseTwoInputs(context)
    let settings = try options.merged(over: layer, context)
    try settings.refuseUnknownFields(Outputs.summary, context)
    if !settings.dryRun.isOn { try repeated.requireTrust(said, settings, context) }
    let notes = RepeatedRunText(repeated, options: options, said: said, settings).lines(context)
    return try Send.send(settings, context) { (message) throws(Failure) in
      try repeated.refuseRow(message, options)
      for note in notes { context.teller.note(note) }
    }
  }
}
