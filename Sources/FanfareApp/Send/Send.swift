package import Projects

/// Sends a notification that options describe.
package struct Send {
  private let options: Settings
  private let context: Context

  /// - Parameter options: what the command line says.
  package init(options: Settings, context: Context) {
    (self.options, self.context) = (options, context)
  }

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  package func run() throws(Failure) -> ExitCode {
    try options.refuseTwoInputs()
    let settings = try options.merged(context)
    let sources = settings.recipientSources
    let sending = Sending(
      settings: settings,
      run: NewRun(sources: sources, suppression: try Suppression(settings, context)),
      resources: RunResources(), context: context)
    let destination = try sending.destination()
    let checked = try CheckedMessage(
      DraftAssembly(settings, context), settings, destination, context)
    checked.tell(context)
    if !settings.quiet.isOn {
      context.warnOfShortTokens(in: sources, destination.server.named)
    }
    let message = checked.message
    if settings.dryRun.isOn { return try sending.dryRun(message, destination) }
    let recipients = try sending.recipients(message)
    let credentials = try destination.open(settings, context)
    return try sending.finish(message, to: recipients, at: destination.server, as: credentials)
  }
}

extension Settings {
  /// Standard input can be read once.
  package func refuseTwoInputs() throws(Failure) {
    let reading = readingStandardInput
    if reading.count > 1 { throw .conflict("\(reading[0]) -", "\(reading[1]) -") }
  }
}
