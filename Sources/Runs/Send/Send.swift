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
    return try Self.send(try options.merged(context), context)
  }

  /// Sends according to merged settings.
  ///
  /// - Parameters:
  ///   - lists: the files of lists of the run that it repeats.
  ///   - approve: refuses the message, or announces what it repeats.
  static func send(
    _ settings: Settings, repeating lists: [String] = [], _ context: Context,
    approve: @escaping (Message) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> Report {
    if let urgent = settings.urgent, !settings.enqueue.isOn {
      throw .usage("'\(urgent.origin.text)' is for runs in the queue: give --enqueue as well.")
    }
    let settings = settings.enqueue.isOn ? try settings.forQueue(context) : settings
    let watch = settings.watch.isOn ? try Watch(settings, context) : nil
    let recipients = RunRecipients(
      settings.recipientSources, without: try Suppression(settings, context))
    try settings.refuseIdleBroadcastHost()
    var order = RunOrder(
      settings, .draft(DraftAssembly(settings, context)), to: recipients, .new)
    (order.approve, order.earlierLists) = (approve, lists)
    if let watch { return try watch.carryOut(order) }
    return try order.carryOut(context)
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
    let history = try options.openHistory(context)
    let repeated = try RepeatedRun(at: place, in: history)
    let layer = try repeated.layer(below: options).renewingDevices(context)
    let said = options.over(layer)
    try repeated.refuseGone(said)
    try said.refuseTwoInputs(context)
    let settings = try options.merged(over: layer, context)
    try settings.refuseUnknownFields(Outputs.summary, context)
    if !settings.dryRun.isOn { try repeated.requireTrust(said, settings, context) }
    let notes = RepeatedRunText(repeated, options: options, said: said, settings).lines(context)
    let lists = StoredRun(repeated.entry).listFiles(in: history, context)
    return try Send.send(settings, repeating: lists, context) { (message) throws(Failure) in
      try repeated.refuseRow(message, options)
      for note in notes { context.teller.note(note) }
    }
  }
}
