package import APNS
package import JSONText
package import PushModel
package import Recipients
package import Reporting

/// Everything that an option, a scenario, an environment variable, a profile or a stored run can
/// set, each value with its origin.
///
/// Every layer creates such a value, with nil for anything it leaves out; ``over(_:)`` merges them
/// once. The row of a property in ``fields`` alone defines how it is merged, stored and shown.
package struct Settings: Sendable, Hashable {
  // What
  // The payload is a file, text or an example; the highest layer that has one wins.
  package var payload: Setting<String>?
  package var payloadText: Setting<String>?
  package var example: Setting<String>?
  /// What the options say that change the payload, by ``PayloadOption/key``.
  package var changes: [String: Setting<JSON>] = [:]
  /// The values of placeholders for rows that have none, by name.
  package var variables: [String: Setting<JSON>] = [:]

  // Headers
  package var bundleID: Setting<String>?
  package var apnsID: Setting<String>?
  /// All other headers as written, including the topic; at most one per name.
  package var headers: [DraftField] = []

  // To
  package var to: Setting<[Addressee]>?
  /// The ID of a broadcast channel, which replaces all recipients, as written. The rules check it.
  package var channel: Setting<String>?
  package var tokens: Setting<[String]>?
  package var tokensFormat: Setting<ListFormat>?
  package var suppress: Setting<[String]>?
  package var duplicates: Setting<RecipientReader.Duplicates>?
  package var limit: Setting<Int>?
  package var shard: Setting<Shard>?
  /// The columns of lists to include in the results.
  package var columns: Setting<[String]>?

  // Where
  package var profile: Setting<String>?
  package var environment: Setting<EnvironmentSetting>?
  /// The URL of `--server`; merged settings have it in `environment`.
  package var server: Setting<String>?
  /// The CA file that a file trusts for the server of its own `environment` only; merged settings
  /// have it in `ca`.
  package var serverCA: Setting<String>?
  package var port: Setting<UInt16>?
  /// The host for pushes to channels, `HOST` or `HOST:PORT`; Apple's by default.
  package var broadcastHost: Setting<String>?
  /// The host for managing channels; the documented one by default.
  package var manageHost: Setting<String>?
  package var ca: Setting<String>?
  /// The URL of a proxy; empty for none.
  package var proxy: Setting<String>?
  package var tlsKeyLog: Setting<Bool>?
  /// Accepts destinations and credentials set by a project's files.
  package var trustProject: Setting<Bool>?

  // Credentials: a key or a certificate, taken as a whole from the layer that names one.
  package var key: Setting<SecretLocation>?
  package var keyID: Setting<String>?
  package var teamID: Setting<String>?
  package var certificate: Setting<SecretLocation>?
  package var certificateKey: Setting<String>?
  /// The password from the layer of the key or certificate.
  package var password: Setting<SecretLocation>?
  /// Password files given as options, for the key or certificate of any layer.
  package var keyPasswordFile: Setting<String>?
  package var certificatePasswordFile: Setting<String>?
  /// The profile whose credentials are used.
  package var credentialsProfile: Setting<String>?
  /// The profile that defines the credentials.
  package var credentialsOwner: Setting<String>?
  package var tokenCache: Setting<Bool>?

  // Running
  package var dryRun: Setting<Bool>?
  /// Prints the plan.
  package var plan: Setting<Bool>?
  /// Prints curl commands; merged settings have it in `dryRun`, too.
  package var curl: Setting<Bool>?
  package var connections: Setting<ConnectionCount>?
  package var rate: Setting<WrittenRate>?
  package var timeout: Setting<TimeLength>?
  package var retries: Setting<Int>?
  package var retryDelay: Setting<TimeLength>?
  /// The time after which no push is begun.
  package var maxTime: Setting<TimeLength>?
  package var atMostOnce: Setting<Bool>?
  package var breaker: Setting<Bool>?
  package var force: Setting<Bool>?
  /// Sends without asking for confirmation.
  package var yes: Setting<Consent>?
  /// Treats warnings as errors.
  package var strict: Setting<Bool>?
  /// Sends again each time the payload's file is saved.
  package var watch: Setting<Bool>?
  /// Puts the run into the queue of a PostgreSQL history, for workers to send.
  package var enqueue: Setting<Bool>?
  /// Has workers send the run before all others in the queue.
  package var urgent: Setting<Bool>?

  // Output
  package var json: Setting<JSONFields>?
  /// The text to print for each push, as an `APNS.LineTemplate`.
  package var template: Setting<String>?
  package var results: Setting<String>?
  package var resultsFormat: Setting<RecordFormat>?
  package var deadTokens: Setting<String>?
  package var quiet: Setting<Bool>?
  package var progress: Setting<Bool>?
  package var verbose: Setting<Bool>?
  package var history: Setting<String>?
  package var keepsHistory: Setting<Bool>?
  package var keepPayloads: Setting<Bool>?
  package var showTokens: Setting<Bool>?

  /// Empty settings.
  package init() {}

  /// The defaults.
  package static let builtIn: Settings = {
    var settings = Settings()
    settings.tokensFormat = Setting(.txt, .builtIn)
    settings.duplicates = Setting(.first, .builtIn)
    settings.connections = Setting(.auto, .builtIn)
    settings.timeout = Setting(TimeLength(milliseconds: 30_000), .builtIn)
    settings.retries = Setting(0, .builtIn)
    settings.retryDelay = Setting(TimeLength(milliseconds: 15 * 60_000), .builtIn)
    return settings
  }()
}

// Derived values.
extension Settings {
  /// A header; nil when it was not given.
  package subscript(name: HeaderName) -> DraftField? {
    get { headers.first { $0.name == name.text } }
    set {
      headers.removeAll { $0.name == name.text }
      if let newValue { headers.append(newValue) }
    }
  }

  /// They name a key, a certificate, or a profile for credentials.
  package var nameCredentials: Bool {
    key != nil || certificate != nil || credentialsProfile != nil
  }

  /// A program prints the key, the certificate or the password.
  package var runCommand: Bool {
    [key, certificate, password].contains { place in
      if case .command? = place?.value { true } else { false }
    }
  }

  /// Nothing is sent or written.
  package var sendNothing: Bool { dryRun.isOn || plan.isOn }

  /// Somebody is shown what is to be sent, or was, and answers for just that.
  package var bindPlan: Bool {
    if case .plan? = yes?.value { return true }
    return plan.isOn
  }

  /// They name a payload: a file, its text, or an example.
  package var namePayload: Bool { payload != nil || payloadText != nil || example != nil }

  /// They build a payload without naming one.
  package var makePayload: Bool { !changes.isEmpty }

  /// The recipients in the order of their lists; empty when none were given. Names that have not
  /// been looked up are left out.
  package var recipientSources: [RecipientSource] {
    if let channel { return [.channel(channel.value)] }
    let named = to?.value.compactMap(\.token) ?? []
    let single = named.isEmpty ? [] : [RecipientSource.tokens(named)]
    return single + (tokens?.value ?? []).map(RecipientSource.init(path:))
  }

  /// The lists of device tokens to leave out.
  package var suppressedSources: [RecipientSource] {
    (suppress?.value ?? []).map(RecipientSource.init(path:))
  }

  /// The format of standard input, and of lists whose names do not indicate one.
  package var listFormat: ListFormat { tokensFormat?.value ?? .txt }

  /// The rows to send to.
  package func selection(without suppressed: SuppressedTokens?) -> RecipientSelection {
    RecipientSelection(
      duplicates: duplicates?.value ?? .first, suppressed: suppressed, shard: shard?.value,
      limit: limit?.value)
  }

  /// The timeout for a response, in milliseconds.
  package var timeoutMilliseconds: Int {
    timeout?.value.milliseconds ?? Self.builtIn.timeout?.value.milliseconds ?? 0
  }

  /// The options that read standard input.
  package var readingStandardInput: [String] {
    let places: [(String, SecretLocation?)] = [
      ("--key", key?.value), ("--cert", certificate?.value),
    ]
    let files: [(String, String?)] = [
      ("--key-password-file", keyPasswordFile?.value), ("--cert-key", certificateKey?.value),
      ("--cert-password-file", certificatePasswordFile?.value),
    ]
    let option = tokens.flatMap { $0.origin.isOption ? $0.origin.text : nil } ?? "--tokens"
    let lists =
      (tokens?.value ?? []).map { (option, $0) }
      + (suppress?.value ?? []).map { ("--suppress", $0) }
    return ([("--payload", payload?.value)] + lists + files).filter { $0.1 == "-" }.map(\.0)
      + places.filter { $0.1 == .file("-") }.map(\.0)
  }
}

extension RecipientSource {
  /// A file, or `-` for standard input.
  package init(path: String) { self = path == "-" ? .standardInput : .file(path) }
}

extension Settings {
  /// Merges these settings with a lower layer: field by field, but credentials as a whole, and
  /// lists by the names of their members. Opens no files.
  package func over(_ lower: Settings) -> Settings {
    var (merged, lower) = (self, lower)
    if nameCredentials { lower.forget(.credentials) }
    if environment != nil || server != nil {
      (lower.environment, lower.server, lower.serverCA) = (nil, nil, nil)
    }
    // A bundle ID in the upper layer replaces a whole topic in the lower one.
    if bundleID != nil { lower[.topic] = nil }
    lower.giveWay(to: self)
    for field in Self.fields { field.fill(&merged, lower) }
    return merged
  }

  /// Removes values that an upper layer sets in another form.
  private mutating func giveWay(to upper: Settings) {
    if upper.to != nil || upper.tokens != nil { channel = nil }
    if upper.channel != nil { forget(.to) }
    if upper.namePayload { (payload, payloadText, example) = (nil, nil, nil) }
    giveWay(toChangesOf: upper)
  }

  /// The settings of a stored run, to be merged below others. If those name another place,
  /// everything about the old place is removed, since its trust and proxy settings do not apply to
  /// the new one.
  package func below(_ upper: Settings) -> Settings {
    var stored = self
    if upper.environment != nil || upper.server != nil { stored.forget(.place) }
    return stored
  }

  /// Removes all settings of one part.
  package mutating func forget(_ part: SettingField.Part) {
    for field in Self.fields where field.part == part { field.forget(&self) }
  }
}
