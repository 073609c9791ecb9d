internal import APNS
package import CommandLineKit
internal import Credentials
internal import HTTP2
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import SQLHistory

extension Settings {
  /// Every property, in the order of `config show`.
  package static let fields: [SettingField] =
    placeFields + credentialFields + runningFields + tellingFields + payloadFields
    + PayloadOption.table.map(SettingField.init(changedBy:)) + [.variables] + headerFields
    + recipientFields

  /// All parts.
  package static let parts = Set(SettingField.Part.allCases)

  private static let placeFields: [SettingField] = [
    .init(
      "profile", { $0.profile }, { $0.profile = $1 }, .place, shown: .always,
      option: .text(
        "profile", "NAME", help: "The profile of fanfare.json that supplies defaults.",
        completion: .lines(of: ["config", "profiles"]), variable: .profile)),
    .init(
      "bundleID", { $0.bundleID }, { $0.bundleID = $1 }, .headers, shown: .always,
      option: .text(
        "bundle-id", "ID", help: "The app; the type's suffix is added to it.", variable: .bundleID),
      file: .init(
        .text, help: "The app; the push type's suffix is added to it.", isShared: true)),
    .init(
      "environment", { $0.environment }, { $0.environment = $1 }, .place, shown: .always,
      option: .value(
        "env", EnvironmentName.self, "NAME",
        help: "The service; emulator runs in-process, inbox is 'fanfare emulator --inbox'.",
        variable: .environment),
      file: .init(SettingShapes.environment, help: "Where to send.", isShared: true)),
    .init(
      "server", { $0.server }, { $0.server = $1 }, .place,
      option: .text(
        "server", "URL", help: "Your own server, https://HOST:PORT.", variable: .server)),
    .init("serverCA", { $0.serverCA }, { $0.serverCA = $1 }, .place, resolving: path),
    .init(
      "ca", { $0.ca }, { $0.ca = $1 }, .place, shown: .always, resolving: path,
      option: .text(
        "ca", "FILE", help: "PEM certificates to trust besides the system's.", completion: .file,
        variable: .roots),
      file: .init(.text, help: "Certificates to trust besides the system's, in PEM.")),
    .init(
      "port", { $0.port }, { $0.port = $1 }, .place, shown: .always,
      option: .value(
        "port", PortArgument.self, "N", help: "The port of production or sandbox, 443 or 2197."),
      file: .init(.integer(0...65_535), help: "The port of production or sandbox, 443 or 2197.")),
    .init(
      "broadcastHost", { $0.broadcastHost }, { $0.broadcastHost = $1 }, .place,
      option: .text(
        "broadcast-host", "HOST[:PORT]", help: "Another host for pushes to a channel.")),
    .init(
      "manageHost", { $0.manageHost }, { $0.manageHost = $1 }, .place,
      option: .text(
        "manage-host", "HOST[:PORT]",
        help: "The host that manages channels, in place of the documented one.")),
    .init(
      "trustProject", { $0.trustProject }, { $0.trustProject = $1 }, .place, .neverKept,
      option: .flag(
        "trust-project",
        help: "Accept server, CA, proxy, history and outside files of a project or run.")),
    .init(
      "proxy", { $0.proxy }, { $0.proxy = $1 }, .place, .repeatedIfOption, shown: .always,
      as: { $0.isEmpty ? nil : URLLogin.cut(from: $0) },
      option: .text(
        "proxy", "URL", help: "An HTTP or SOCKS proxy; defaults to HTTPS_PROXY."),
      file: .init(.text, help: "An HTTP or SOCKS proxy.")),
  ]

  private static let credentialFields: [SettingField] = [
    .init(
      "key", { $0.key }, { $0.key = $1 }, .credentials, resolving: place,
      option: .secret(
        "key", help: "The .p8 signing key, or '-' for standard input.", variable: .key)),
    .init(
      "keyID", { $0.keyID }, { $0.keyID = $1 }, .credentials, as: shownID,
      option: .text(
        "key-id", "ID", help: "The key ID; defaults to the one in the name AuthKey_….p8.",
        variable: .keyID)),
    .init(
      "teamID", { $0.teamID }, { $0.teamID = $1 }, .credentials, as: shownID,
      option: .text(
        "team-id", "ID", help: "The team ID of the developer account.", variable: .teamID)),
    .init(
      "cert", { $0.certificate }, { $0.certificate = $1 }, .credentials, resolving: place,
      option: .secret(
        "cert", help: "A client certificate, .p12 or PEM, instead of a signing key.",
        variable: .certificate)),
    .init(
      "certKey", { $0.certificateKey }, { $0.certificateKey = $1 }, .credentials,
      as: { shownPath($0) }, resolving: path,
      option: .text(
        "cert-key", "FILE",
        help: "The certificate's private key, if it is in a file of its own.", completion: .file)),
    .init("passwordFile", { $0.password }, { $0.password = $1 }, .credentials, resolving: place),
    .init(
      "keyPasswordFile", { $0.keyPasswordFile }, { $0.keyPasswordFile = $1 }, .credentials,
      resolving: path,
      option: .text(
        "key-password-file", "FILE",
        help: "The file with an encrypted key's password, or '-' for standard input.",
        completion: .file, variable: .keyPassword)),
    .init(
      "certPasswordFile", { $0.certificatePasswordFile }, { $0.certificatePasswordFile = $1 },
      .credentials, resolving: path,
      option: .text(
        "cert-password-file", "FILE",
        help: "The file with the password of the .p12 or of the certificate's key.",
        completion: .file, variable: .certificatePassword)),
    .init(
      "credentialsProfile", { $0.credentialsProfile }, { $0.credentialsProfile = $1 }, .credentials),
    .init(
      "credentialsOwner", { $0.credentialsOwner }, { $0.credentialsOwner = $1 }, .credentials,
      .ofTheInvocation, shown: .never),
  ]

  private static let runningFields: [SettingField] = [
    .init(
      "connections", { $0.connections }, { $0.connections = $1 }, .running, shown: .always,
      forWorkers: true,
      option: .value(
        "connections", ConnectionCount.self, "N|auto",
        help: "The number of connections; 'auto' opens more while that helps, at most "
          + "\(ConnectionCount.mostAutomatic).", completion: .words([ConnectionCount.auto.text])),
      file: .init(
        SettingShapes.connections,
        help: "How many connections; \"auto\" opens more while that helps.", isShared: true)),
    .init(
      "rate", { $0.rate }, { $0.rate = $1 }, .running, shown: .always, forWorkers: true,
      option: .value(
        "rate", WrittenRate.self, "N[/s|/m]",
        help: "The maximum pushes per second or minute, evenly paced, over all connections."),
      file: .init(
        .either([.text, .integer(1...1_000_000)]),
        help: "The most pushes in a second or minute: 500, \"500/s\" or \"30/m\".",
        fault: "This is not a rate.",
        fix: "Write 500, \"500/s\" or \"30/m\", at most 1000000/s.")),
    .init(
      "timeout", { $0.timeout }, { $0.timeout = $1 }, .running, shown: .always, forWorkers: true,
      option: .value("timeout", TimeLength.self, "TIME", help: "How long to wait for an answer."),
      file: .time(help: "How long to wait for an answer.")),
    .init(
      "retries", { $0.retries }, { $0.retries = $1 }, .running, shown: .always, forWorkers: true,
      option: .number(
        "retries", of: "retries", in: 0...100,
        help: "How often to retry when APNs asks to try later (5xx)."),
      file: .init(
        .integer(0...100), help: "How often to try again when APNs asks to come back later.")),
    .init(
      "retryDelay", { $0.retryDelay }, { $0.retryDelay = $1 }, .running, shown: .always,
      forWorkers: true,
      option: .value(
        "retry-delay", TimeLength.self, "TIME",
        help: "How long to wait before the first retry; doubles each time."),
      file: .time(
        help: "How long to wait before the first of these; each further wait is twice as long.")),
    .init(
      "maxTime", { $0.maxTime }, { $0.maxTime = $1 }, .running, .ofTheInvocation,
      option: .value(
        "max-time", TimeLength.self, "TIME",
        help: "Begin no push after this time, as after Ctrl-C; 'fanfare resume' goes on.")),
    .init(
      "dryRun", { $0.dryRun }, { $0.dryRun = $1 }, .running, .ofTheInvocation,
      option: .flag("dry-run", short: "n", help: "Print the requests and send nothing.")),
    .init(
      "plan", { $0.plan }, { $0.plan = $1 }, .running, .ofTheInvocation,
      option: .flag(
        "plan", help: "Print what would be sent, where and to how many, and send nothing.")),
    .init(
      "curl", { $0.curl }, { $0.curl = $1 }, .running, .ofTheInvocation,
      option: .flag(
        "curl", help: "Print curl commands, with whole device tokens, and send nothing.")),
    .init(
      "atMostOnce", { $0.atMostOnce }, { $0.atMostOnce = $1 }, .running,
      option: .flag(
        "at-most-once", help: "Never resend what may have arrived; no answer ends as 'unknown'.")),
    .init(
      "breaker", { $0.breaker }, { $0.breaker = $1 }, .running, forWorkers: true,
      option: .flag(
        "no-breaker", sets: false,
        help: "Continue even if every push is refused for the same reason.")),
    .init(
      "force", { $0.force }, { $0.force = $1 }, .running, .neverKept,
      option: .flag("force", help: "Send a notification that breaks rules, where possible.")),
    .init(
      "yes", { $0.yes }, { $0.yes = $1 }, .running, .neverKept,
      option: .consent(
        help: "Do not ask for confirmation; with an ID, send that plan or nothing.")),
    .init(
      "strict", { $0.strict }, { $0.strict = $1 }, .running, .ofTheInvocation,
      option: .flag("strict", help: "Treat warnings as errors.")),
    .init(
      "watch", { $0.watch }, { $0.watch = $1 }, .running, .ofTheInvocation,
      option: .flag("watch", help: "Send again each time the file of --payload is saved.")),
    .init(
      "enqueue", { $0.enqueue }, { $0.enqueue = $1 }, .running, .ofTheInvocation,
      option: .flag(
        "enqueue",
        help: "Put the run into the queue of a history in PostgreSQL; 'fanfare work' sends it.")),
    .init(
      "urgent", { $0.urgent }, { $0.urgent = $1 }, .running, .ofTheInvocation,
      option: .flag("urgent", help: "With --enqueue: have the run sent before all others.")),
  ]

  private static let tellingFields: [SettingField] = [
    .init(
      "history", { $0.history }, { $0.history = $1 }, .telling, .ofTheInvocation, shown: .always,
      as: { HistoryLocation($0).shown },
      resolving: { place, path in HistoryLocation(place).file.map(path) ?? place },
      option: .text(
        "history", "FILE|URL", help: "The history: a file, or the URL of a PostgreSQL database.",
        completion: .file, variable: .history),
      file: .init(.text, help: "The history: a file, or the URL of a PostgreSQL database.")),
    .init(
      "tokenCache", { $0.tokenCache }, { $0.tokenCache = $1 }, .credentials,
      option: .flag(
        "no-token-cache", sets: false,
        help: "Sign a new provider token instead of sharing the cached one.")),
    .init(
      "tlsKeyLog", { $0.tlsKeyLog }, { $0.tlsKeyLog = $1 }, .place, .ofTheInvocation,
      option: .flag(
        "tls-key-log", help: "Write TLS keys to SSLKEYLOGFILE, to decrypt recorded traffic.")),
    .init(
      "json", { $0.json }, { $0.json = $1 }, .telling, .ofTheInvocation,
      option: .json(help: "Print the summary as one JSON object, or only these fields of it.")),
    .init(
      "template", { $0.template }, { $0.template = $1 }, .telling, .ofTheInvocation,
      option: .text(
        "template", "TEXT",
        help: "Print a line per push, such as '{{token}} {{status}} {{reason}}'.")),
    .init(
      "results", { $0.results }, { $0.results = $1 }, .telling, .ofTheInvocation,
      option: .value(
        "results", ResultsArgument.self, "FILE",
        help: "Write a line per push, in \(RecordFormat.ofResults.endings); '-' prints JSON.",
        completion: .file)),
    .init(
      "resultsFormat", { $0.resultsFormat }, { $0.resultsFormat = $1 }, .telling, .ofTheInvocation,
      option: .value(
        "results-format", RecordFormat.self, "FORMAT",
        help: "The format of --results, whatever its name; jsonl for a pipe without it.")),
    .init(
      "deadTokens", { $0.deadTokens }, { $0.deadTokens = $1 }, .telling, .ofTheInvocation,
      option: .text(
        "dead-tokens", "FILE",
        help: "Write dead device tokens, in \(RecordFormat.all.endings).",
        completion: .file)),
    .init(
      "quiet", { $0.quiet }, { $0.quiet = $1 }, .telling, .ofTheInvocation,
      option: .flag("quiet", short: "q", help: "Print errors only, such as a rejection.")),
    .init(
      "progress", { $0.progress }, { $0.progress = $1 }, .telling, .ofTheInvocation,
      option: .value(
        "progress", ProgressWord.self, "WHEN",
        help: "When to show the progress line; 'auto' does on a terminal.")),
    .init(
      "verbose", { $0.verbose }, { $0.verbose = $1 }, .telling, .ofTheInvocation,
      option: .flag(
        "verbose", short: "v", help: "Show server, credentials and content; list every cause.")),
    .init(
      "keepsHistory", { $0.keepsHistory }, { $0.keepsHistory = $1 }, .telling, .ofTheInvocation,
      option: .flag(
        "no-history", sets: false, help: "Keep no history; such a run cannot be resumed.")),
    .init(
      "keepPayloads", { $0.keepPayloads }, { $0.keepPayloads = $1 }, .telling, forWorkers: true,
      option: .flag(
        "keep-payloads",
        help: "Keep the payload of each row of a template, not only the template.")),
    .init(
      "showTokens", { $0.showTokens }, { $0.showTokens = $1 }, .telling, .ofTheInvocation,
      option: .flag("show-tokens", help: "Show device tokens in full.")),
  ]

  private static let payloadFields: [SettingField] = [
    .init(
      "payload", { $0.payload }, { $0.payload = $1 }, .what, resolving: path, option: .payload),
    .init("payloadText", { $0.payloadText }, { $0.payloadText = $1 }, .what),
    .init(
      "example", { $0.example }, { $0.example = $1 }, .what,
      option: .text(
        "example", "NAME", help: "A payload that comes with fanfare; 'fanfare example' lists them.",
        completion: .words(ExamplePayload.names))),
  ]

  private static let headerFields: [SettingField] = [
    .init(
      "apnsID", { $0.apnsID }, { $0.apnsID = $1 }, .headers, .neverKept,
      option: .text("apns-id", "UUID", help: "The push's own ID; for one recipient only.")),
    .headers,
  ]

  private static let recipientFields: [SettingField] = [
    .init(
      "to", { $0.to }, { $0.to = $1 }, .to, option: .to),
    .init(
      "channel", { $0.channel }, { $0.channel = $1 }, .to,
      option: .text(
        "channel", "ID", help: "A broadcast channel, in place of device tokens.",
        completion: .lines(of: ["channel", "list", "--known", "--ids"]))),
    .init(
      "tokens", { $0.tokens }, { $0.tokens = $1 }, .to, resolving: paths,
      option: .each(
        "tokens", String.self, "FILE",
        help: "A list: .txt, .csv or .jsonl; '-' for standard input.", completion: .file)),
    .init(
      "tokensFormat", { $0.tokensFormat }, { $0.tokensFormat = $1 }, .to,
      option: .value(
        "tokens-format", ListFormat.self, "FORMAT",
        help: "The format of standard input, and of lists with another extension.")),
    .init(
      "suppress", { $0.suppress }, { $0.suppress = $1 }, .to, resolving: paths,
      option: .each(
        "suppress", String.self, "FILE",
        help: "A list of device tokens not to send to; '-' for standard input.",
        completion: .file)),
    .init(
      "duplicates", { $0.duplicates }, { $0.duplicates = $1 }, .to,
      option: .value(
        "duplicates", RecipientReader.Duplicates.self, "RULE",
        help: "Send to the first row of a device token only, or to each.")),
    .init(
      "limit", { $0.limit }, { $0.limit = $1 }, .to,
      option: .number("limit", of: "pushes", in: 1...Int.max, help: "Stop after N pushes.")),
    .init(
      "shard", { $0.shard }, { $0.shard = $1 }, .to,
      option: .value(
        "shard", ShardArgument.self, "K/N",
        help: "Send to part K of N; each device token is in exactly one.")),
    // Its option is a command's own: the results have columns, too.
    .init("columns", { $0.columns }, { $0.columns = $1 }, .to),
  ]
}

// Resolved forms of stored paths.
extension Settings {
  private static let path: SettingField.Resolve<String> = { value, path in path(value) }

  private static let paths: SettingField.Resolve<[String]> = { values, path in values.map(path) }

  private static let place: SettingField.Resolve<SecretLocation> = { value, path in
    if case .file(let file) = value { .file(path(file)) } else { value }
  }
}

// The forms for people.
extension Settings {
  /// A valid ID; of anything else, which may be a misplaced key, only the last characters.
  private static let shownID: @Sendable (String) -> String? = { id in
    if (try? KeyID(id)) != nil { return id }
    let end = id.count > 8 ? ", ends in \(String(id.suffix(4)).printable)" : ""
    return "invalid (\(counted(id.count, "character"))\(end))"
  }
}

// The options on the command line, and the keys in files.
extension Settings {
  private static let fieldsByOption: [String: SettingField] = Dictionary(
    uniqueKeysWithValues: fields.compactMap { field in field.optionName.map { ($0, field) } })

  /// The options of a part.
  package static func options(of part: SettingField.Part) -> [Parameter<Settings>] {
    fields.filter { $0.part == part }.compactMap(\.option)
  }

  /// The option with a long name.
  package static func option(_ name: String) -> Parameter<Settings> {
    guard let option = fieldsByOption[name]?.option else {
      preconditionFailure("no setting has an option --\(name)")
    }
    return option
  }

  /// The key in profiles of a setting.
  static func key(_ name: String) -> FileKey {
    guard let field = fields.first(where: { $0.name == name }), let file = field.file else {
      preconditionFailure("no profile has a key \(name)")
    }
    return file.key(name)
  }

  /// The keys in profiles of these parts, in the order of the rows.
  static func keys(_ parts: Set<SettingField.Part>) -> [FileKey] {
    fields.filter { parts.contains($0.part) }.compactMap { field in field.file?.key(field.name) }
  }
}
