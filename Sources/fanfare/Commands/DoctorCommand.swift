internal import APNS
internal import CommandLineKit
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import Projects
internal import PushEmulator

/// `fanfare doctor`
struct DoctorCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "doctor", "Test each layer between here and APNs, with a fix for each.",
    discussion: """
      Tests twelve steps in order, from the key to the server's clock, and stops at the first one \
      that is broken. The credentials are tested with a push to a made-up device token: \
      BadDeviceToken means that APNs accepted them. It needs a bundle ID. Without a key, only the \
      network is tested.

      Asks before it connects to production. The exit code is 3 if a step is broken, and 0 \
      otherwise, even with warnings.
      """,
    examples: [
      Example(
        "fanfare doctor --env sandbox --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ "
          + "--bundle-id com.example.app",
        "All steps."),
      Example("fanfare doctor --env production --yes --json", "Only the network, for a script."),
      Example(
        "fanfare doctor --env emulator --bundle-id com.example.app",
        "What it looks like when everything works."),
    ])

  var options = Settings()
  var timeout = TimeLength(milliseconds: 10_000)
  var yes = false
  var json = false

  static let groups = [
    SettingOptions.place.inside(\Self.options), SettingOptions.credentials.inside(\Self.options),
    OptionGroup<Self>(
      "Doctor",
      [
        Parameter<Settings>.setting(
          "bundle-id", \.bundleID, value: "ID", help: "The app that the test push is for.",
          environment: .bundleID
        ).inside(\.options),
        .option("timeout", \.timeout, value: "TIME", help: "The longest wait for each step."),
        .flag("yes", \.yes, short: "y", help: "Do not ask before production."),
        .flag("json", \.json, help: "Print a JSON object."),
      ]),
  ]

  func run(_ context: Context) throws -> ExitCode {
    try options.refuseTwoInputs()
    let settings = try options.merged(reading: [.place, .headers], context)
    let server = try ServerChoice(settings, context)
    if server.alternative != nil {
      throw Failure.badSetting(
        name: "--env", text: "auto", expected: "one environment to examine")
    }
    try KeyLog.check(server, context)
    let topic = try topic(settings)
    if server.environment.isProduction, !yes { try ProductionConsent.ask(context) }
    let endpoint = try Endpoint(server, context, emulator: Self.emulator)
    var target = endpoint.target
    target.timeoutMilliseconds = timeout.milliseconds
    let credentials = diagnosed(server, context)
    let plan = DiagnosisPlan(
      environment: server.environment, target: target, credentials: credentials,
      topic: topic ?? credentials.ownTopic, clock: context.clock)
    return examine(plan, context)
  }

  private func examine(_ plan: DiagnosisPlan, _ context: Context) -> ExitCode {
    let doctor = DoctorReport(plan)
    if json { return context.tell(doctor.report(Diagnosis(plan).run()), asJSON: true) }
    context.tell(doctor.head)
    let diagnosis = Diagnosis(plan).run { context.tell(doctor.step($0)) }
    context.tell(doctor.conclusion(diagnosis))
    return doctor.report(diagnosis).exitCode
  }

  /// The emulator that answers the test push as APNs does, and with its time.
  private static var emulator: EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.sendsDate = true
    configuration.answer = { push in
      push.token.hex == Diagnosis.falseToken ? .reject(.badDeviceToken) : nil
    }
    return configuration
  }

  private func topic(_ settings: Settings) throws(Failure) -> Topic? {
    guard let named = settings.bundleID else { return nil }
    do throws(TopicError) {
      return try Topic(named.value)
    } catch {
      throw .badSetting(
        name: named.origin.text, text: named.value,
        expected: "a bundle ID such as com.example.app")
    }
  }
}

extension DoctorCommand {
  /// The credentials, as a diagnosis tells them apart. What is wrong with them is a finding here, not
  /// an error.
  private func diagnosed(_ server: ServerChoice, _ context: Context) -> DiagnosisCredentials {
    do throws(Failure) {
      var settings = try options.merged(context)
      try settings.findCredentials(context)
      if !settings.nameCredentials, server.environment != .emulator { return .none }
      let credentials = try NamedCredentials(settings, context)
        .open(for: server.environment, context)
      CredentialWarning.tell(credentials.warnings.filter { $0.otherKeyID == nil }, context)
      return diagnosed(credentials)
    } catch {
      return error.cause is IdentifierFault ? .badIdentifiers(error) : .unusable(error)
    }
  }

  private func diagnosed(_ credentials: OpenedCredentials) -> DiagnosisCredentials {
    switch credentials.kind {
    case .key(let keyID, let teamID, let tokens):
      let otherKeyIDs = credentials.warnings.compactMap(\.otherKeyID)
      return .tokens(tokens, keyID, teamID, fileName: otherKeyIDs.first)
    case .certificate(let certificate, _): return .certificate(certificate)
    }
  }
}

extension DiagnosisCredentials {
  /// The app that a certificate is for; nil when it names none.
  fileprivate var ownTopic: Topic? {
    guard case .certificate(let certificate) = self else { return nil }
    return certificate.facts.userID.flatMap { try? Topic($0) }
  }
}

extension CredentialWarning {
  /// The key ID in the file's name, if it is a different one.
  fileprivate var otherKeyID: KeyID? {
    if case .otherKeyID(_, let fileName, _) = self { fileName } else { nil }
  }
}
