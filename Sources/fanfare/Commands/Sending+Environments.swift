internal import APNS
internal import Credentials
internal import PlainText
internal import Projects

// Where to send, and which environment a device token belongs to.
extension Sending {
  /// The server and who signs, as far as both have to be known before the message.
  func place() throws(Failure) -> (ServerChoice, Signer) {
    var server = try ServerChoice(options.server, scenario: scenario, context)
    if server.alternative != nil, !sources.isEmpty, !sources.isOneToken {
      throw .severalRecipients(option: "--env auto")
    }
    if !options.running.dryRun { try KeyLog.check(server, context) }
    let signer = try commonSigner(at: server)
    server.emulatesProduction = signer.certificate?.facts.environments == [.production]
    if let fitting = signer.certificate?.environments(among: server.environments),
      fitting.count < server.environments.count
    {
      server = try server.at(fitting[0], options.server, context)
      sayOnlyEnvironment(server)
    }
    return (server, signer)
  }

  private func commonSigner(at server: ServerChoice) throws(Failure) -> Signer {
    let find = { () throws(Failure) in try signer(at: server) }
    guard let common else { return try find() }
    return try common.credentials.signer(for: credentialsSetting(at: server), find: find)
  }

  /// The emulator needs no account: credentials that a scenario or profile names, and that are not
  /// on this machine, are made up for it.
  private func signer(at server: ServerChoice) throws(Failure) -> Signer {
    let isEmulator = server.environment == .emulator
    do throws(Failure) {
      let layer = try CredentialLayer.chosen(options.credentials, scenario, context)
      if isEmulator, let missing = layer?.missingPlace(in: context) {
        return madeUp("\(missing.name.printable) is not there")
      }
      return try Signer(layer, options.credentials, context)
    } catch {
      guard isEmulator, case .noCredentials(let profile)? = error.cause as? ProfileError else {
        throw error
      }
      return madeUp("profile \(profile.printable) has none here")
    }
  }

  private func madeUp(_ reason: String) -> Signer {
    if !options.telling.quiet {
      context.errors.write("credentials: made up for the emulator, for \(reason)\n")
      context.errors.flush()
    }
    return .nobody
  }

  private func sayOnlyEnvironment(_ server: ServerChoice) {
    guard !options.telling.quiet else { return }
    let name = server.environment.name
    context.errors.write("environment: \(name), for the certificate is for no other\n")
    context.errors.flush()
  }

  /// The server, ready to be connected to.
  func place(_ server: ServerChoice) throws(Failure) -> ServerPlace {
    if let common { return try common.places.place(of: server, for: scenario, context) }
    return try ServerPlace(server, context)
  }

  /// Asks one environment after the other until one knows the device token.
  func seek(
    _ message: Message, at server: ServerChoice, as credentials: CredentialChoice
  ) throws(Failure) -> Sent {
    let first = try ask(
      server.environment, EnvironmentSearch(), message, at: server, as: credentials)
    guard let alternative = server.alternative, let search = first.search, search.goesOn,
      context.signals.received == nil
    else { return first }
    _ = first.delivery.book.close(first.report, summary(of: first))
    sayWhatFollows(search)
    if let lost = first.delivery.resultsFailure {
      throw .lostOutput(lost, after: first.report.exitCode)
    }
    return try ask(alternative, search, message, at: server, as: credentials)
  }

  private func ask(
    _ environment: PushEnvironment, _ before: EnvironmentSearch, _ message: Message,
    at server: ServerChoice, as credentials: CredentialChoice
  ) throws(Failure) -> Sent {
    var search = before
    let (report, delivery) = try deliver(
      message, to: try recipients(message),
      at: try server.at(environment, options.server, context), as: credentials,
      isSecond: !search.attempts.isEmpty)
    search.add(report, environment)
    let facts = search.known(
      of: RequestFacts(message, environment, report, tokenAge: credentials.tokenAge(context)))
    return Sent(report: report, delivery: delivery, facts: facts, search: search)
  }

  private func sayWhatFollows(_ search: EnvironmentSearch) {
    guard !options.telling.quiet, let last = search.attempts.last else { return }
    context.errors.write("\(last.words); asking the next environment\n")
    context.errors.flush()
  }
}
