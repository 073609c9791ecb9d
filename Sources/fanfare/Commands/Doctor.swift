internal import APNS
internal import CommandLineKit
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import PushEmulator

/// `fanfare doctor`
struct Doctor: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "doctor", "Prove each layer between here and APNs, with the fix for each.",
    discussion: """
      Looks at twelve steps in order, from the key to the server's clock, and stops at the first \
      that is broken. The last proof is a push to a device token that is false on purpose: \
      BadDeviceToken means that APNs took the credentials. It needs a bundle id. Without a key the \
      network alone is proven.

      Production is asked about first. The exit code is 0, with warnings too, and 3 when a step is \
      broken.
      """,
    examples: [
      Example(
        "fanfare doctor --env sandbox --key AuthKey_ABC123DEFG.p8 --team-id DEF123GHIJ "
          + "--bundle-id com.example.app",
        "All steps."),
      Example("fanfare doctor --env production --yes --json", "The network alone, for a script."),
      Example("fanfare doctor --env emulator --bundle-id com.example.app", "What a good day is."),
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
          "bundle-id", \.bundleID, value: "ID", help: "The app that the false push is for.",
          environment: .bundleID
        ).inside(\.options),
        .option("timeout", \.timeout, value: "TIME", help: "The longest wait of each step."),
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
    let place = try ServerPlace(server, context, emulator: Self.emulator)
    var target = place.target
    target.timeoutMilliseconds = timeout.milliseconds
    let credentials = diagnosed(server, context)
    let plan = DiagnosisPlan(
      environment: server.environment, target: target, credentials: credentials,
      topic: topic ?? credentials.ownTopic, clock: context.clock)
    return examine(plan, context)
  }

  private func examine(_ plan: DiagnosisPlan, _ context: Context) -> ExitCode {
    let text = DoctorText(plan, context)
    if !json { context.output.write(text.head) }
    let report = Diagnosis(plan).run { finding in
      guard !json else { return }
      context.output.write(text.text(of: finding))
      context.output.flush()
    }
    context.output.write(json ? DoctorJSON(plan).bytes(report) : Array(text.tail(report).utf8))
    return report.verdict == .broken ? .connection : .success
  }

  /// The emulator that answers the false push as APNs does, and with its time.
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
        expected: "a bundle id such as com.example.app")
    }
  }
}

extension Doctor {
  /// Who signs in, told apart by what a diagnosis can say of it. What stands against the key is a
  /// finding here, and no reason to do nothing.
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
      return error.isOfIdentifiers ? .badIdentifiers(error) : .unusable(error)
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
  /// The key id in the file's name, when that is another one.
  fileprivate var otherKeyID: KeyID? {
    if case .otherKeyID(_, let fileName, _) = self { fileName } else { nil }
  }
}

extension Failure {
  /// Whether the key was read, and its ids are at fault.
  fileprivate var isOfIdentifiers: Bool {
    switch self {
    case .missingIdentifier(let name, _, _): name != "key" && name != "certificate"
    case .badIdentifier, .swappedIdentifiers, .sameIdentifier: true
    default: false
    }
  }
}
