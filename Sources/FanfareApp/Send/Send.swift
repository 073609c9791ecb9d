internal import Projects

/// Sends a notification that options describe.
struct Send {
  /// What the command line says.
  let options: Settings
  let context: Context

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  func run() throws(Failure) -> ExitCode {
    try options.refuseTwoInputs()
    let settings = try options.merged(context)
    let sources = settings.recipientSources
    let sending = Sending(
      settings: settings,
      run: NewRun(to: sources, without: try Suppression(settings, context)),
      means: SendingMeans(places: CommonPlaces()), context: context)
    let destination = try Destination(settings, to: sources, context)
    let message = try self.message(settings, destination)
    if settings.dryRun.isOn { return try sending.dryRun(message, destination) }
    let recipients = try sending.recipients(message)
    let credentials = try destination.open(settings, context)
    return try sending.finish(message, to: recipients, at: destination.server, as: credentials)
  }

  private func message(
    _ settings: Settings, _ destination: Destination
  ) throws(Failure) -> Message {
    var assembly = DraftAssembly(settings, context)
    let message = try CheckedMessage(&assembly, settings, destination, context)
    message.tell(assembly, context)
    return message.message
  }
}

extension Settings {
  /// Standard input can be read once.
  func refuseTwoInputs() throws(Failure) {
    let reading = readingStandardInput
    if reading.count > 1 { throw .conflict("\(reading[0]) -", "\(reading[1]) -") }
  }
}
