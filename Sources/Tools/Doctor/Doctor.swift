internal import APNS
internal import Credentials
internal import Diagnosis
internal import HTTP2
internal import PushEmulator
package import Reporting
internal import Runs
package import Settings

/// Examines each layer between this machine and APNs.
package struct Doctor {
  let options: Settings
  /// The longest wait for each step.
  let timeout: TimeLength
  /// Examines the hosts that manage channels instead of those that take pushes.
  let ofChannels: Bool
  /// Production needs no confirmation.
  let isConfirmed: Bool
  let asJSON: Bool
  let context: Context

  package init(
    options: Settings, timeout: TimeLength, ofChannels: Bool = false, isConfirmed: Bool,
    asJSON: Bool, context: Context
  ) {
    (self.options, self.timeout, self.ofChannels) = (options, timeout, ofChannels)
    (self.isConfirmed, self.asJSON, self.context) = (isConfirmed, asJSON, context)
  }

  /// - Throws: `Failure` if there is nothing to examine. A broken step is a finding, not an error.
  package func run() throws(Failure) -> Report {
    try options.refuseTwoInputs(context)
    try refuseOtherHosts()
    let settings = try options.merged(reading: [.place, .headers], context)
    var server = try ServerChoice(settings, context)
    if server.alternative != nil {
      throw .badSetting(name: "--env", text: "auto", expected: "one environment to examine")
    }
    try KeyLog.check(server, context)
    try ProjectTrust(settings, context).require()
    try KeyLog.refuse(among: FilesInUse(filesRead), settings, context)
    let topic = try settings.topicOfBundleID()
    if server.environment.isProduction, !isConfirmed { try confirmProduction() }
    if ofChannels { server = try server.managing(settings, context) }
    let endpoint = try Endpoint(server, context, emulator: Self.emulator)
    var target = endpoint.target
    target.timeoutMilliseconds = timeout.milliseconds
    var plan = DiagnosisPlan(
      environment: server.environment, target: target,
      credentials: credentials(for: server.environment), topic: topic, clock: context.clock)
    plan.testsChannels = ofChannels
    return examine(plan)
  }

  private var filesRead: [String] {
    var settings = (try? options.merged(context)) ?? options
    try? settings.findCredentials(context)
    return settings.filesRead(context) + context.configuration.allPaths
  }

  /// Refuses the other mode's options: pushes and channels have hosts and ports of their own.
  private func refuseOtherHosts() throws(Failure) {
    if ofChannels, options.port != nil { throw .conflict("--port", "--channels") }
    if !ofChannels, options.manageHost != nil {
      throw .usage("'--manage-host' is for channels: give --channels.")
    }
  }

  /// Prints each step for people as soon as it is done.
  private func examine(_ plan: DiagnosisPlan) -> Report {
    let doctor = DoctorReport(plan)
    if asJSON { return doctor.report(Diagnosis(plan).run()).asJSON(true) }
    context.teller.show(doctor.head)
    let diagnosis = Diagnosis(plan).run { context.teller.show(doctor.step($0)) }
    return Report(
      parts: doctor.conclusion(diagnosis), exitCode: doctor.report(diagnosis).exitCode)
  }

  /// The emulator's configuration: it answers the test push as APNs does, and sends the date.
  private static var emulator: EmulatorConfiguration {
    var configuration = EmulatorConfiguration()
    configuration.sendsDate = true
    configuration.answer = { push in
      push.token?.hex == Diagnosis.falseToken ? .reject(.badDeviceToken) : nil
    }
    return configuration
  }
}

extension Doctor {
  /// The credentials; a fault in them is a finding here, not an error.
  private func credentials(for environment: PushEnvironment) -> DiagnosisCredentials {
    do throws(Failure) {
      var settings = try options.merged(context)
      try settings.findCredentials(context)
      if !settings.nameCredentials, !environment.isEmulator { return .none }
      return examined(try NamedCredentials(settings, context).open(for: environment, context))
    } catch {
      return error.cause(IdentifierFault.self) != nil ? .badIdentifiers(error) : .unusable(error)
    }
  }

  private func examined(_ credentials: OpenedCredentials) -> DiagnosisCredentials {
    let otherKeyIDs = credentials.warnings.compactMap(\.otherKeyID)
    context.teller.note(credentials.warnings.filter { $0.otherKeyID == nil }.parts)
    return switch credentials.kind {
    case .key(let keyID, let teamID, let tokens):
      .tokens(tokens, keyID, teamID, fileName: otherKeyIDs.first)
    case .certificate(let certificate, _): .certificate(certificate)
    }
  }
}

extension CredentialWarning {
  /// The key ID in the file's name if it differs: a finding of its own.
  fileprivate var otherKeyID: KeyID? {
    if case .otherKeyID(_, let fileName, _) = self { fileName } else { nil }
  }
}

extension Settings {
  fileprivate func topicOfBundleID() throws(Failure) -> Topic? {
    guard let bundleID else { return nil }
    return try attempt(try Topic(bundleID.value)) { (_: TopicError) in
      .badSetting(
        name: bundleID.origin.text, text: bundleID.value,
        expected: "a bundle ID such as com.example.app")
    }
  }
}

// Confirmation before connecting to production.
extension Doctor {
  /// - Throws: `Failure.declined` unless the answer is yes; `Failure.needsConsent` without
  ///   a terminal.
  private func confirmProduction() throws(Failure) {
    let what =
      ofChannels
      ? "asks for the IDs of the app's channels"
      : "sends at most one push, to a made-up device token"
    let question =
      "This connects to production and \(what).\n"
      + "Proceed? [y/N] "
    guard let isYes = context.teller.confirms(question) else { throw .needsConsent }
    if !isYes { throw .declined }
  }
}

extension Failure {
  /// Production needs consent, and there is no terminal to ask on.
  static var needsConsent: Failure {
    Failure(
      "Production needs confirmation, and there is no terminal to ask on.", fix: "Give --yes.")
  }

  /// The answer about production was not yes.
  fileprivate static var declined: Failure {
    Failure("Nothing was done.", fix: "Use --env sandbox or emulator to stay off production.")
  }
}
