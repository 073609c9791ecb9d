internal import APNS
internal import Credentials
internal import HTTP2
internal import PlainText
internal import Projects

/// An app whose channels are managed: where, with which credentials, and what the history knows of
/// them.
struct ManagedApp {
  /// All layers, merged.
  let settings: Settings
  let id: BundleID
  let server: ServerChoice
  let known: KnownChannels
  private let destination: Destination

  /// - Throws: `Failure` when the settings name no app or no server, or one without channels to
  ///   manage. Nothing was sent.
  init(_ options: Settings, _ context: Context) throws(Failure) {
    try options.refuseTwoInputs()
    settings = try options.merged(
      reading: [.place, .headers, .credentials, .running, .telling], context)
    if settings.environment?.value == .named(.emulator), !settings.dryRun.isOn {
      throw .channelsEndWithEmulator
    }
    destination = try Destination(settings, to: [], context)
    if destination.server.alternative != nil {
      throw .badSetting(name: "--env", text: "auto", expected: "one environment")
    }
    id = try BundleID(ofChannels: settings, destination.credentials)
    server = try destination.server.managing(settings, context)
    known = try KnownChannels(settings, at: server.environment, of: id, context)
  }

  /// Reads the credentials.
  func service(_ context: Context) throws(Failure) -> ChannelService {
    let credentials = try destination.open(settings, context)
    let endpoint = try Endpoint(server, context)
    if settings.verbose.isOn {
      context.tell(
        [("server", "\(endpoint.target.authority) (from \(server.origin))")]
          + credentials.rows(now: context.clock.epochSeconds))
    }
    return ChannelService(id, at: endpoint, as: credentials, settings, context)
  }

  /// Prints the request, and sends nothing.
  func dryRun(_ request: ChannelRequest, _ context: Context) -> ExitCode {
    let credentials = destination.credentials
    if settings.verbose.isOn { context.tell(credentials.rows(now: context.clock.epochSeconds)) }
    let certificate = credentials.certificate
    let text = ChannelRequestText(
      request: request, app: id, host: server.address?.authority ?? "127.0.0.1",
      certificate: certificate.flatMap { $0.certificate?.facts.commonName ?? $0.name },
      requestID: APNSID(random: context.clock))
    return context.tell(text.report, asJSON: settings.json != nil)
  }
}

extension ServerAddress {
  /// Host and port as in a URL.
  fileprivate var authority: String { String(description.dropFirst("https://".count)) }
}

extension BundleID {
  /// The app that settings name, or that the certificate is for.
  ///
  /// - Throws: `Failure` when none is named, or a push type's suffix is behind it.
  init(
    ofChannels settings: Settings, _ credentials: NamedCredentials
  ) throws(Failure) {
    let certificate = credentials.certificate?.certificate?.facts.userID
    guard let text = settings.bundleID?.value ?? certificate, !text.isEmpty else {
      throw .missingOption("--bundle-id ID")
    }
    self = try BundleID(text, from: settings.bundleID?.origin.text ?? "The certificate's app")
    let suffixes = PushType.table.filter { !$0.suffixIsCommonWord }.map(\.suffix)
    if let suffix = suffixes.first(where: { !$0.isEmpty && text.hasSuffix($0) }) {
      throw .suffixOfChannels(text, suffix)
    }
  }
}

extension ChannelID {
  /// - Parameter word: an argument of the command line.
  init(argument word: String) throws(Failure) {
    self = try attempt(try ChannelID(word)) { .badChannelID(word, $0) }
  }
}

// What is refused before anything is sent.
extension Failure {
  fileprivate static var channelsEndWithEmulator: Failure {
    Failure(
      "The emulator of '--env emulator' ends with the command, and its channels with it.",
      fix: "Start 'fanfare emulator --inbox' and use --env inbox, or give --server URL.")
  }

  fileprivate static func suffixOfChannels(_ text: String, _ suffix: String) -> Failure {
    Failure(
      "Channels belong to the app itself: '\(suffix)' is the suffix of a push type.",
      fix: "Give the bundle ID without it: --bundle-id \(text.dropLast(suffix.count))")
  }

  fileprivate static func badChannelID(_ word: String, _ error: ChannelIDError) -> Failure {
    let shown = word.count > 40 ? "\(word.prefix(40).printable)…" : word.printable
    return Failure(
      word.isEmpty
        ? "The channel ID is empty." : "'\(shown)' is not a channel ID: \(error.clause).",
      fix: error.fix)
  }
}

extension ChannelIDError {
  fileprivate var clause: String {
    switch self {
    case .empty: "it is empty"
    case .tooLong(let count):
      "it has \(grouped(count)) characters, more than \(ChannelID.maximumLength)"
    case .character(let character, _): "base64 has no '\(String(character).printable)'"
    case .cutOff: "its length is not a multiple of four"
    }
  }

  fileprivate var fix: String {
    switch self {
    case .character("-", _), .character("_", _):
      "Use standard base64 with + and /, exactly as APNs returned the ID."
    default: "Copy the whole ID, with any '=' at its end, as 'fanfare channel list' prints it."
    }
  }
}
