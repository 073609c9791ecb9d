package import APNS
internal import Credentials
internal import HTTP2
package import Reporting
package import Settings

/// An app whose channels are managed: its server, its credentials, and its channels in the history.
package struct ManagedApp {
  /// All layers, merged.
  package let settings: Settings
  package let id: BundleID
  let server: ServerChoice
  package let known: KnownChannels
  private let destination: Destination

  /// - Throws: `Failure` when the settings name no app or server, or one without channels to
  ///   manage. Nothing was sent.
  package init(_ options: Settings, _ context: Context) throws(Failure) {
    try options.refuseTwoInputs(context)
    settings = try options.merged(
      reading: [.place, .headers, .credentials, .running, .telling], context)
    if settings.environment?.value == .named(.emulator), !settings.dryRun.isOn {
      throw .channelsEndWithEmulator
    }
    destination = try Destination(settings, to: [], context)
    let read = settings.filesRead(context) + destination.credentials.settings.filesRead(context)
    try KeyLog.refuse(
      among: FilesInUse(read + context.configuration.allPaths), settings, context)
    if destination.server.alternative != nil {
      throw .badSetting(name: "--env", text: "auto", expected: "one environment")
    }
    id = try BundleID(ofChannels: settings, destination.credentials)
    server = try destination.server.managing(settings, context)
    known = try KnownChannels(settings, at: server.environment, of: id, context)
  }

  /// Reads the credentials.
  package func service(_ context: Context) throws(Failure) -> ChannelService {
    let credentials = try destination.open(context)
    try credentials.sign()
    let endpoint = try Endpoint(server, context)
    context.teller.detail(
      [("server", "\(endpoint.target.authority) (from \(server.origin))")]
        + credentials.rows(now: context.clock.epochSeconds))
    return ChannelService(id, at: endpoint, as: credentials, settings, context)
  }

  /// Records an action that was done, and remains done if that fails.
  ///
  /// - Returns: the failure; nil if it is recorded.
  package func keep(_ record: (KnownChannels) throws(Failure) -> Void) -> Failure? {
    do throws(Failure) { try record(known) } catch { return error }
    return nil
  }

  /// The request, which is not sent.
  package func dryRun(_ request: ChannelRequest, _ context: Context) -> Report {
    let credentials = destination.credentials
    context.teller.detail(credentials.rows(now: context.clock.epochSeconds))
    let certificate = credentials.certificate
    let text = ChannelRequestText(
      request: request, app: id, host: server.address?.authority ?? "127.0.0.1",
      certificate: certificate.flatMap { $0.certificate?.facts.commonName ?? $0.name },
      requestID: APNSID(random: context.clock))
    return text.report.asJSON(settings.json?.value)
  }
}

extension BundleID {
  /// The app in the settings, or the one of the certificate.
  ///
  /// - Throws: `Failure` when none is named, or the bundle ID breaks the rules.
  package init(
    ofChannels settings: Settings, _ credentials: NamedCredentials
  ) throws(Failure) {
    let field =
      settings.bundleID.map { DraftField(Draft.appField, $0.value, from: $0.origin) }
      ?? credentials.certificate?.certificate?.facts.userID.map { DraftField(Draft.appField, $0) }
    guard let field, !field.value.isEmpty else { throw .missingOption("--bundle-id ID") }
    let draft = Draft(target: .channel(app: field))
    let problems = RuleTable.all.filter { $0.subject == .bundleID }
      .flatMap { $0.problems(in: draft, RuleContext(now: 0)) }
    if !problems.isEmpty { throw .problems(problems) }
    self = try BundleID(field.value, from: Draft.appField)
  }
}

extension ChannelID {
  /// - Parameter word: an argument of the command line.
  package init(argument word: String) throws(Failure) {
    self = try attempt(try ChannelID(word)) { .badChannelID($0) }
  }
}

// Failures before anything is sent.
extension Failure {
  fileprivate static var channelsEndWithEmulator: Failure {
    Failure(
      "The emulator of '--env emulator' ends with the command, and its channels with it.",
      fix: "Start 'fanfare emulator --inbox' and use --env inbox, or give --server URL.")
  }

  fileprivate static func badChannelID(_ error: ChannelIDError) -> Failure {
    Failure(error.message, fix: error.fix)
  }
}
