internal import APNS
internal import JSONText
internal import Projects
internal import Recipients

/// Everything that an option, a scenario, an environment variable, a profile or a stored run can say
/// about sending, each value with its origin.
///
/// Every layer makes such a value of what it says and leaves the rest nil; they are merged once, by
/// ``over(_:)``. What becomes of a property when settings are merged, kept or shown is said by its
/// row in ``fields``, and nowhere else.
struct Settings: Sendable, Hashable {
  // What
  var payload: Setting<String>?
  var title: Setting<String>?
  var subtitle: Setting<String>?
  var body: Setting<String>?
  var badge: Setting<Int>?
  var sound: Setting<String>?
  var category: Setting<String>?
  var threadID: Setting<String>?
  var interruptionLevel: Setting<String>?
  var relevanceScore: Setting<JSONNumber>?
  var contentAvailable: Setting<Bool>?
  var mutableContent: Setting<Bool>?
  /// The app's own keys beside `aps`.
  var data: Setting<[JSONMember]>?
  /// What placeholders take where a row has no value, by their names.
  var variables: [String: Setting<JSON>] = [:]

  // Headers
  var bundleID: Setting<String>?
  var apnsID: Setting<String>?
  /// All other headers as they were written, the topic among them; at most one of each name counts.
  var headers: [DraftField] = []

  // To
  var to: Setting<[DeviceToken]>?
  var tokens: Setting<[String]>?
  var tokensFormat: Setting<ListFormat>?
  var suppress: Setting<[String]>?
  var duplicates: Setting<RecipientReader.Duplicates>?
  var limit: Setting<Int>?
  var shard: Setting<Shard>?

  // Where
  var profile: Setting<String>?
  var environment: Setting<EnvironmentSetting>?
  /// The URL of `--server`; in merged settings it is in `environment`.
  var server: Setting<String>?
  /// The authority that a file trusts for the server of its `environment`, and for no other; in merged
  /// settings it is in `ca`.
  var serverCA: Setting<String>?
  var port: Setting<UInt16>?
  var ca: Setting<String>?
  /// The URL of a proxy; empty for none.
  var proxy: Setting<String>?
  var tlsKeyLog: Setting<Bool>?

  // Credentials: a key or a certificate, taken whole from the layer that names one.
  var key: Setting<SecretPlace>?
  var keyID: Setting<String>?
  var teamID: Setting<String>?
  var certificate: Setting<SecretPlace>?
  var certificateKey: Setting<String>?
  /// The password that the layer of the key or certificate names.
  var password: Setting<SecretPlace>?
  /// The passwords of options, which go with the key or certificate of any layer.
  var keyPasswordFile: Setting<String>?
  var certificatePasswordFile: Setting<String>?
  /// The profile whose credentials are to be taken.
  var credentialsProfile: Setting<String>?
  /// The profile in which the credentials are written.
  var credentialsOwner: Setting<String>?
  var tokenCache: Setting<Bool>?

  // Running
  var dryRun: Setting<Bool>?
  var connections: Setting<Int>?
  var rate: Setting<WrittenRate>?
  var timeout: Setting<TimeLength>?
  var retries: Setting<Int>?
  var retryDelay: Setting<TimeLength>?
  var atMostOnce: Setting<Bool>?
  var breaker: Setting<Bool>?
  var force: Setting<Bool>?

  // Telling
  var json: Setting<Bool>?
  var results: Setting<String>?
  var deadTokens: Setting<String>?
  var quiet: Setting<Bool>?
  var verbose: Setting<Bool>?
  var history: Setting<String>?
  var keepsHistory: Setting<Bool>?
  var keepPayloads: Setting<Bool>?
  var showTokens: Setting<Bool>?

  /// What holds where nobody says otherwise.
  static let builtIn: Settings = {
    var settings = Settings()
    settings.tokensFormat = Setting(.txt, .builtIn)
    settings.duplicates = Setting(.first, .builtIn)
    settings.timeout = Setting(TimeLength(milliseconds: 30_000), .builtIn)
    settings.retries = Setting(0, .builtIn)
    settings.retryDelay = Setting(TimeLength(milliseconds: 15 * 60_000), .builtIn)
    return settings
  }()
}

// What is asked of them.
extension Settings {
  /// A header; nil when nobody gave it.
  subscript(name: HeaderName) -> DraftField? {
    get { headers.first { $0.name == name.text } }
    set {
      headers.removeAll { $0.name == name.text }
      if let newValue { headers.append(newValue) }
    }
  }

  /// Whether they name a key or a certificate, or a profile that does.
  var nameCredentials: Bool { key != nil || certificate != nil || credentialsProfile != nil }

  /// The parts of a payload that they say.
  var payloadEdits: PayloadEdits {
    var edits = PayloadEdits()
    edits.title = title?.value
    edits.subtitle = subtitle?.value
    edits.body = body?.value
    edits.badge = badge?.value
    edits.sound = sound?.value
    edits.category = category?.value
    edits.threadID = threadID?.value
    edits.interruptionLevel = interruptionLevel?.value
    edits.relevanceScore = relevanceScore?.value
    edits.contentAvailable = contentAvailable.isOn
    edits.mutableContent = mutableContent.isOn
    edits.data = data?.value ?? []
    return edits
  }

  /// The recipients in the order of their lists; empty when none were given.
  var recipientSources: [RecipientSource] {
    let single = to.map { [RecipientSource.tokens($0.value)] } ?? []
    return single + (tokens?.value ?? []).map(RecipientSource.init(path:))
  }

  /// The lists of device tokens that are not sent to.
  var suppressedSources: [RecipientSource] {
    (suppress?.value ?? []).map(RecipientSource.init(path:))
  }

  /// How standard input is written, and a list whose name does not tell.
  var listFormat: ListFormat { tokensFormat?.value ?? .txt }

  /// Which rows are sent to.
  func selection(without suppressed: SuppressedTokens?) -> RecipientSelection {
    RecipientSelection(
      duplicates: duplicates?.value ?? .first, suppressed: suppressed, shard: shard?.value,
      limit: limit?.value)
  }

  /// How long to wait for an answer, in milliseconds.
  var timeoutMilliseconds: Int {
    timeout?.value.milliseconds ?? Self.builtIn.timeout?.value.milliseconds ?? 0
  }

  /// The options that read standard input.
  var readingStandardInput: [String] {
    let places: [(String, SecretPlace?)] = [("--key", key?.value), ("--cert", certificate?.value)]
    let files: [(String, String?)] = [
      ("--key-password-file", keyPasswordFile?.value), ("--cert-key", certificateKey?.value),
      ("--cert-password-file", certificatePasswordFile?.value),
    ]
    let lists =
      (tokens?.value ?? []).map { ("--tokens", $0) }
      + (suppress?.value ?? []).map { ("--suppress", $0) }
    return ([("--payload", payload?.value)] + lists + files).filter { $0.1 == "-" }.map(\.0)
      + places.filter { $0.1 == .file("-") }.map(\.0)
  }
}

extension RecipientSource {
  /// A file, or `-` for standard input.
  init(path: String) { self = path == "-" ? .standardInput : .file(path) }
}
