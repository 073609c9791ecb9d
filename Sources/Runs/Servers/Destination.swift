package import APNS
internal import Credentials
package import HTTP2
package import PushEmulator
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

  /// - Parameters:
  ///   - settings: all layers, merged.
  ///   - scenario: its file, and the files that it has read.
  ///   - find: finds the credentials for a server; nil unless runs share them.
  /// - Throws: `Failure` when the settings name no server, or an unusable one.
  package init(
    _ settings: Settings, to sources: [RecipientSource],
    of scenario: (file: String, reads: [String])? = nil, _ context: Context,
    find: ((PushEnvironment) throws(Failure) -> NamedCredentials)? = nil
  ) throws(Failure) {
    var server = try ServerChoice(settings, context)
    if server.alternative != nil, sources.contains(where: { $0.channel != nil }) {
      throw .broadcastToAuto
    }
    if server.alternative != nil, !sources.isEmpty, !sources.isOnePush {
      throw .severalRecipients(option: "--env auto")
    }
    if !settings.dryRun.isOn {
      // An enqueued run opens no connection here.
      if !settings.enqueue.isOn { try KeyLog.check(server, context) }
      try ProjectTrust(settings, scenario: scenario, context).require()
    }
    credentials =
      if let find { try find(server.environment) } else {
        try .find(settings, for: server.environment, context)
      }
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

  /// Reads the credentials, and prints their warnings, which are errors with `--strict`.
  package func open(_ settings: Settings, _ context: Context) throws(Failure) -> OpenedCredentials {
    let opened = try credentials.open(for: server.environment, context)
    try tell(opened.warnings, settings, context)
    return opened
  }

  /// Identifies the credentials for the queue without reading a key. Warnings are handled as in
  /// ``open(_:_:)``.
  package func credentialsForQueue(
    _ settings: Settings, _ context: Context
  ) throws(Failure) -> RunCredentials {
    let (name, warnings) = try credentials.forQueue(at: server.environment, context)
    try tell(warnings, settings, context)
    return name
  }

  private func tell(
    _ warnings: [CredentialWarning], _ settings: Settings, _ context: Context
  ) throws(Failure) {
    if settings.strict.isOn { try Strictness.refuse([], warnings) }
    context.teller.note(warnings.parts)
  }
}

/// The target of a run's connections. It keeps an emulator in this process running.
package struct Endpoint: Sendable {
  package let target: DialTarget
  private let emulator: RunningEmulator?

  /// - Parameter configuration: the emulator's behavior, if the server is one.
  package init(
    _ choice: ServerChoice, _ context: Context,
    emulator configuration: EmulatorConfiguration = .init()
  ) throws(Failure) {
    try KeyLog.check(choice, context)
    KeyLog.warn(choice, context)
    if let roots = choice.roots {
      // A missing file is reported before a connection is made or earlier results are overwritten.
      do throws(FileFailure) { _ = try readFile(roots, for: "certificate", limit: 1 << 24) } catch {
        throw .file(error, .connection)
      }
    }
    var configuration = configuration
    configuration.isSandbox = !choice.emulatesProduction
    emulator = choice.environment == .emulator ? try RunningEmulator(configuration, context) : nil
    let address =
      choice.address ?? ServerAddress(host: "127.0.0.1", port: emulator?.port ?? 0)
    target = DialTarget(
      host: address.host, port: address.port, proxy: choice.proxy,
      additionalRoots: emulator?.rootsPath ?? choice.roots, allowsKeyLog: choice.allowsKeyLog)
  }
}

/// An emulator in this process, and the file with its certificate.
@dynamicMemberLookup
package final class RunningEmulator: Sendable {
  package let emulator: Emulator
  /// The file with the certificate to trust.
  package let rootsPath: String
  private let temporary: TemporaryFile?

  /// - Parameter roots: the file for the certificate to trust; nil uses a temporary one.
  package init(
    _ configuration: EmulatorConfiguration, roots: String? = nil, _ context: Context
  ) throws(Failure) {
    let emulator = try attempt(try Emulator(configuration)) { .emulator($0) }
    self.emulator = emulator
    if let roots {
      (rootsPath, temporary) = (roots, nil)
      return
    }
    let file = try attempt(
      try TemporaryFile(
        Array(emulator.certificateAuthorityPEM.utf8), name: "fanfare-ca",
        folder: context.temporaryFolder)
    ) { .file($0) }
    (rootsPath, temporary) = (file.path, file)
  }

  deinit { emulator.stop() }

  /// Its ports, URL and journal.
  package subscript<Value>(dynamicMember path: KeyPath<Emulator, Value>) -> Value {
    emulator[keyPath: path]
  }

  /// Closes the port and every connection, and completes the journal.
  package func stop() { emulator.stop() }
}
