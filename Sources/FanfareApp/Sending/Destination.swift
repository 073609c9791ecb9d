internal import APNS
internal import Credentials
internal import PlainText
internal import Projects
internal import Recipients

/// Where a run goes, and the credentials for it, as far as both have to be known before the message.
struct Destination: Sendable {
  /// The server.
  let server: ServerChoice
  /// The credentials, of which a certificate is open.
  let credentials: NamedCredentials

  /// - Parameters:
  ///   - settings: all layers, merged.
  ///   - sources: who is sent to.
  ///   - find: finds the credentials for a server.
  /// - Throws: `Failure` when the settings name no server, or one that cannot be used.
  init(
    _ settings: Settings, to sources: [RecipientSource], _ context: Context,
    find: (PushEnvironment) throws(Failure) -> NamedCredentials
  ) throws(Failure) {
    var server = try ServerChoice(settings, context)
    if server.alternative != nil, !sources.isEmpty, !sources.isOneToken {
      throw .severalRecipients(option: "--env auto")
    }
    if !settings.dryRun.isOn { try KeyLog.check(server, context) }
    credentials = try find(server.environment)
    let facts = credentials.certificate?.certificate?.facts
    server.emulatesProduction = facts?.environments == [.production]
    if let fitting = facts?.environments(among: server.environments),
      fitting.count < server.environments.count
    {
      server = try server.at(fitting[0], settings, context)
      Self.sayOnlyEnvironment(server, settings, context)
    }
    self.server = server
  }

  /// The same for a run that shares its credentials with no other.
  init(
    _ settings: Settings, to sources: [RecipientSource], _ context: Context
  ) throws(Failure) {
    try self.init(settings, to: sources, context) { (environment) throws(Failure) in
      try .find(settings, for: environment, context)
    }
  }

  private static func sayOnlyEnvironment(
    _ server: ServerChoice, _ settings: Settings, _ context: Context
  ) {
    if settings.quiet.isOn { return }
    let name = server.environment.name
    context.errors.write("environment: \(name), the only one of the certificate\n")
    context.errors.flush()
  }

  /// Reads the credentials, and says what to know about them.
  func open(_ settings: Settings, _ context: Context) throws(Failure) -> OpenedCredentials {
    let opened = try credentials.open(for: server.environment, context)
    if !settings.quiet.isOn { CredentialWarning.tell(opened.warnings, context) }
    return opened
  }
}
