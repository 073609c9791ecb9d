internal import APNS
internal import Credentials
internal import HTTP2
internal import JSONText
internal import POSIX
internal import Projects
package import PushEmulator

/// A signing key whose provider tokens an emulator accepts.
package struct TrustedKeyFile: Sendable, Equatable {
  /// The `.p8` file; without one the rest must not be given either.
  package var path: String?
  package var keyID: String?
  package var teamID: String?
  /// Nil means both.
  package var environment: EmulatorEnvironment?

  package init() {}

  /// - Throws: `Failure` when the key cannot be used.
  fileprivate func read(_ context: Context) throws(Failure) -> TrustedKey? {
    guard let path else {
      try refuseStrayOptions()
      return nil
    }
    var options = Settings()
    options.key = Setting(.file(path), .setting("--key"))
    options.keyID = keyID.map { Setting($0, .setting("--key-id")) }
    options.teamID = teamID.map { Setting($0, .setting("--team-id")) }
    options.tokenCache = Setting(false, .builtIn)
    let credentials = try OpenedCredentials.key(options, context)
    CredentialWarning.tell(credentials.warnings, context)
    guard case .key(let keyID, let teamID, let tokens) = credentials.kind else { return nil }
    do {
      return try TrustedKey(
        keyID: keyID.text, teamID: teamID.text, publicKey: try tokens.publicKeyDER(),
        environments: environment.map { [$0] } ?? Set(EmulatorEnvironment.allCases))
    } catch {
      throw .key(name: path, error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }

  private func refuseStrayOptions() throws(Failure) {
    let given = [
      ("--key-id", keyID != nil), ("--team-id", teamID != nil), ("--trust-env", environment != nil),
    ]
    if let (option, _) = given.first(where: \.1) {
      throw .missingCredentials("key", option: "--trust", neededBy: option)
    }
  }
}

/// Runs a local APNs until it is interrupted.
package struct RunEmulator {
  private var configuration: EmulatorConfiguration
  private let script: String?
  private let trusted: TrustedKeyFile
  private let context: Context

  /// - Parameter script: the file of a script; nil for none.
  package init(
    _ configuration: EmulatorConfiguration, script: String?, trusting trusted: TrustedKeyFile,
    _ context: Context
  ) {
    (self.configuration, self.script) = (configuration, script)
    (self.trusted, self.context) = (trusted, context)
  }

  package func run() throws(Failure) -> ExitCode {
    try refuseOverwriting()
    guard let ended = Wake() else { throw .emulator(.outOfDescriptors) }
    context.signals.take { ended.call() }
    let emulator = try RunningEmulator(try completeConfiguration(), context)
    context.output.write(readyLine(emulator))
    context.output.flush()
    ended.wait(milliseconds: nil)
    emulator.stop()
    if let journal, let reason = emulator.journalFailure { throw lost(journal, reason) }
    return context.signals.received ?? .success
  }

  /// The journal's file; nil without one.
  private var journal: String? {
    if case .file(let path) = configuration.journal { path } else { nil }
  }

  private func lost(_ journal: String, _ reason: Int32) -> Failure {
    .lostOutput(
      FileFailure(path: journal, action: .write, fault: .system(reason), purpose: "journal"),
      after: context.signals.received ?? .success)
  }

  private func refuseOverwriting() throws(Failure) {
    var used = FilesInUse([script, trusted.path].compactMap(\.self))
    try used.claim("--journal", journal)
  }

  private func completeConfiguration() throws(Failure) -> EmulatorConfiguration {
    var configuration = configuration
    if let journal {
      configuration.journalFailed = { [self] in context.warn(lost(journal, $0)) }
    }
    if let script { try readScript(script).apply(to: &configuration) }
    if let key = try trusted.read(context) { configuration.trustedKeys = [key] }
    return configuration
  }

  private func readyLine(_ emulator: RunningEmulator) -> [UInt8] {
    let control = emulator.controlPort.map { [Report.Part.json("control", .number($0))] } ?? []
    return ReportJSON.bytes(
      Report(
        parts: [
          .json("url", .text(emulator.url)), .json("ca", .text(emulator.rootsPath)),
          .json("pid", .number(getpid())),
        ] + control))
  }
}
