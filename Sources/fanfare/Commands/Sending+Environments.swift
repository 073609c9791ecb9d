internal import APNS
internal import PushCore

// Where to send, and which environment a device token belongs to.
extension Sending {
  /// The server and who signs, as far as both have to be known before the message.
  func place() throws(Failure) -> (ServerChoice, Signer) {
    var server = try ServerChoice(options.server, scenario: scenario, context)
    if server.alternative != nil, !sources.isEmpty, !sources.isOneToken {
      throw .severalRecipients(option: "--env auto")
    }
    if !options.running.dryRun { try KeyLog.check(server, context) }
    let signer = try Signer(options.credentials, scenario: scenario, context)
    server.emulatesProduction = signer.certificate?.facts.environments == [.production]
    if let fitting = signer.certificate?.environments(among: server.environments),
      fitting.count < server.environments.count
    {
      server = try server.at(fitting[0], options.server, context)
      sayOnlyEnvironment(server)
    }
    return (server, signer)
  }

  private func sayOnlyEnvironment(_ server: ServerChoice) {
    guard !options.telling.quiet else { return }
    let name = server.environment.name
    context.errors.write("environment: \(name), for the certificate is for no other\n")
    context.errors.flush()
  }

  /// Asks one environment after the other until one knows the device token.
  func seek(
    _ message: Message, at server: ServerChoice, as credentials: CredentialChoice
  ) throws(Failure) -> ExitCode {
    var search = EnvironmentSearch()
    for environment in server.environments {
      let choice = try server.at(environment, options.server, context)
      let (report, delivery) = try deliver(
        message, to: try recipients(message), at: choice, as: credentials,
        isSecond: !search.attempts.isEmpty)
      search.add(report, environment)
      let facts = search.known(
        of: RequestFacts(message, environment, report, tokenAge: credentials.tokenAge(context)))
      let isLast = environment == server.environments.last
      if isLast || !search.goesOn || context.signals.received != nil {
        try tell(report, of: delivery, facts, search)
        return context.signals.received ?? report.exitCode
      }
      _ = delivery.book.close(report, summary(of: report, delivery, facts, search))
      sayWhatFollows(search)
      if let lost = delivery.resultsFailure {
        throw .lostOutput(lost, after: report.exitCode)
      }
    }
    return .success
  }

  private func sayWhatFollows(_ search: EnvironmentSearch) {
    guard !options.telling.quiet, let last = search.attempts.last else { return }
    context.errors.write("\(last.words); asking the next environment\n")
    context.errors.flush()
  }
}
