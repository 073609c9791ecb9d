internal import APNS
internal import CommandLineKit
internal import Credentials
internal import HTTP2
internal import JSONText
internal import POSIX
internal import Projects
internal import PushEmulator

/// `fanfare emulator`
struct EmulatorCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "emulator", "Run a local APNs.",
    discussion: """
      A strict APNs on 127.0.0.1, over TLS and HTTP/2, that answers pushes as Apple's does, reason \
      for reason. Once it listens it prints one line of JSON with its URL, the certificate file to \
      trust (for --ca), and its process ID. It runs until it is interrupted.

      Without --trust it accepts any well-formed provider token that has not expired. A client may \
      present a certificate instead: its topics, environment and dates are checked, whoever issued \
      it.

      A script simulates problems: late, odd and missing answers, RST_STREAM, GOAWAY, lost \
      connections, changing limits. With --control, another program changes the script and the \
      clock while the emulator runs. docs/emulator.md describes both.
      """,
    examples: [
      Example("fanfare emulator --port 8443 --journal pushes.jsonl", "Listen on a known port."),
      Example(
        "fanfare emulator --trust AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ",
        "Accept provider tokens of one key only."),
      Example(
        "fanfare emulator --script bad-day.json5", "Treat each push as a script says."),
      Example(
        "fanfare emulator --certificate expired", "See how a client reacts to a bad certificate."),
    ])

  var port = PortArgument(port: 0)
  var control: PortArgument?
  var journal: String?
  var script: String?
  var production = false
  var trust: String?
  var keyID: String?
  var teamID: String?
  var trustEnvironment: KeyEnvironment?
  var faults = EmulatorFaultOptions()

  static let groups = [
    OptionGroup<Self>(
      "Emulator",
      [
        .option("port", \.port, value: "N", help: "The port on 127.0.0.1; 0 picks a free one."),
        .option(
          "control", \.control, value: "PORT",
          help: "A second port, for JSON commands while it runs; 0 picks a free one."),
        .option(
          "journal", \.journal, value: "FILE",
          help: "The file to write one line of JSON per request to.",
          completion: .file),
        .option(
          "script", \.script, value: "FILE", help: "A script in JSON5; '-' is standard input.",
          completion: .file),
        .flag(
          "production", \.production,
          help: "Act as production: no apns-unique-id, no sandbox keys and certificates."),
        .option(
          "trust", \.trust, value: "FILE", help: "The .p8 key whose provider tokens are accepted.",
          completion: .file),
        .option(
          "key-id", \.keyID, value: "ID",
          help: "The trusted key's ID; defaults to the one in its file name."),
        .option("team-id", \.teamID, value: "ID", help: "The trusted key's team."),
        .option(
          "trust-env", \.trustEnvironment, value: "NAME",
          help: "The environment that the trusted key is for; defaults to both."),
      ]),
    EmulatorFaultOptions.group.inside(\Self.faults),
  ]

  func run(_ context: Context) throws -> ExitCode {
    guard let ended = Wake() else { throw Failure.emulator(.outOfDescriptors) }
    context.signals.take { ended.call() }
    let emulator = try RunningEmulator(try configuration(context), context)
    context.output.write(readyLine(emulator))
    context.output.flush()
    ended.wait(milliseconds: nil)
    emulator.stop()
    if let code = emulator.journalFailure { throw lostJournal(code, context) }
    return context.signals.received ?? .success
  }

  private func lostJournal(_ code: Int32, _ context: Context) -> Failure {
    let lost = FileFailure(
      path: journal ?? "", action: .write, fault: .system(code), purpose: "journal")
    return .lostOutput(lost, after: context.signals.received ?? .success)
  }

  private func configuration(_ context: Context) throws(Failure) -> EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.port = port.port
    configuration.controlPort = control?.port
    configuration.isSandbox = !production
    if let journal { configuration.journal = .file(journal) }
    let command = self
    configuration.journalFailed = { context.warn(command.lostJournal($0, context).parts()) }
    if let script { try readScript(script).apply(to: &configuration) }
    if let key = try trustedKey(context) { configuration.trustedKeys = [key] }
    faults.apply(to: &configuration)
    return configuration
  }

  private func trustedKey(_ context: Context) throws(Failure) -> TrustedKey? {
    guard let trust else {
      try refuseStrayOptions()
      return nil
    }
    var options = Settings()
    options.key = Setting(.file(trust), .setting("--key"))
    options.keyID = keyID.map { Setting($0, .setting("--key-id")) }
    options.teamID = teamID.map { Setting($0, .setting("--team-id")) }
    options.tokenCache = Setting(false, .builtIn)
    let credentials = try OpenedCredentials.key(options, context)
    CredentialWarning.tell(credentials.warnings, context)
    guard case .key(let keyID, let teamID, let tokens) = credentials.kind else { return nil }
    do {
      return try TrustedKey(
        keyID: keyID.text, teamID: teamID.text, publicKey: try tokens.publicKeyDER(),
        environments: trustEnvironment.map { [$0.environment] }
          ?? Set(EmulatorEnvironment.allCases))
    } catch {
      throw .key(name: trust, error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }

  private func refuseStrayOptions() throws(Failure) {
    let given = [
      ("--key-id", keyID), ("--team-id", teamID), ("--trust-env", trustEnvironment?.rawValue),
    ]
    for (name, value) in given where value != nil {
      throw .missingIdentifier(name: "key", option: "--trust", elsewhere: name)
    }
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
