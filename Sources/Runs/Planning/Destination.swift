internal import APNS
internal import Credentials
internal import HTTP2
package import Recipients
package import Reporting
package import Settings

/// The server of a run and its credentials, as far as they must be known before the message.
package struct Destination: Sendable {
  package let server: ServerChoice
  /// The servers to try, in order: one, or with `--env auto` one for each environment.
  package let servers: [ServerChoice]
  /// The credentials. A certificate is already open, a key is not read yet.
  package let credentials: NamedCredentials

  private let source: CredentialSource
  /// Warnings about the credentials are errors.
  private let isStrict: Bool

  /// - Parameters:
  ///   - settings: all layers, merged.
  ///   - scenario: its file, and the files that it has read.
  ///   - source: where its credentials come from.
  /// - Throws: `Failure` when the settings name no server, or an unusable one.
  package init(
    _ settings: Settings, to sources: [RecipientSource],
    of scenario: (file: String, reads: [String])? = nil, as source: CredentialSource = .own,
    _ context: Context
  ) throws(Failure) {
    (self.source, isStrict) = (source, settings.strict.isOn)
    var server = try ServerChoice(settings, context)
    if server.alternative != nil, sources.contains(where: { $0.channel != nil }) {
      throw .broadcastToAuto
    }
    if server.alternative != nil, !sources.isEmpty, !sources.isOnePush {
      throw .severalRecipients(option: "--env auto")
    }
    let isShown = settings.dryRun.isOn
    // An enqueued run opens no connection here.
    if !isShown, !settings.enqueue.isOn { try KeyLog.check(server, context) }
    try ProjectTrust(settings, scenario: scenario, isShown: isShown, context).require()
    credentials = try source.named(settings, for: server.environment, context)
    let facts = credentials.certificate?.certificate?.facts
    server.emulatesProduction = facts.map { $0.environments == [.production] } ?? false
    if let fitting = facts?.environments(among: server.environments),
      fitting.count < server.environments.count
    {
      server = try server.at(fitting[0], settings, context)
      context.teller.note(
        "environment: \(server.environment.name), the only one of the certificate")
    }
    self.server = server
    servers =
      server.alternative == nil
      ? [server]
      : try server.environments.map { (environment) throws(Failure) in
        try server.at(environment, settings, context)
      }
  }

  /// Refuses missing credentials without opening any.
  func refuseNoCredentials() throws(Failure) {
    let settings = credentials.settings
    let isNamed = credentials.certificate != nil || settings.key != nil
    if !isNamed, !server.environment.isEmulator { throw .noKey }
  }

  /// Reads the credentials, and prints their warnings, which are errors with `--strict`. Nothing is
  /// signed yet.
  package func open(_ context: Context) throws(Failure) -> OpenedCredentials {
    try source.opened(credentials, for: server.environment) { () throws(Failure) in
      let opened = try credentials.read(for: server.environment, context)
      try tell(opened.warnings, context)
      return opened
    }
  }

  /// Identifies the credentials for the queue without reading a key. Warnings are handled as in
  /// ``open(_:)``.
  package func credentialsForQueue(_ context: Context) throws(Failure) -> CredentialID {
    let (name, warnings) = try credentials.forQueue(at: server.environment, context)
    try tell(warnings, context)
    return name
  }

  private func tell(_ warnings: [CredentialWarning], _ context: Context) throws(Failure) {
    if isStrict { try Strictness.refuse([], warnings) }
    context.teller.note(warnings.parts)
  }
}
