internal import APNS
internal import CommandLineKit
internal import JSONText
internal import PushModel
internal import Recipients
internal import Settings

/// The options for settings, in groups as help shows them.
enum SettingOptions {
  /// The groups of `send`.
  static let sending = sending(to: sendingPlace)

  /// The groups of `run`, whose scenarios may create channels.
  static let sendingScenarios = sending(
    to: OptionGroup(sendingPlace.title, sendingPlace.parameters + [manageHost]))

  private static func sending(to place: OptionGroup<Settings>) -> [OptionGroup<Settings>] {
    [what, headers, to, place, credentials, running, tellingOfLists]
  }

  static let what = OptionGroup<Settings>(
    "What", payloadRows + PayloadOption.table.map(Parameter.change) + [variable])

  /// Repeatable, once per placeholder.
  private static let variable: Parameter<Settings> = .option(
    "var", of: VariableArgument.self, isRepeatable: true, value: "NAME=VALUE",
    help: "Text for the placeholder {{NAME}}, unless a list supplies it."
  ) { (settings, word, _) throws(BadValue) in
    if settings.variables[word.name] != nil { throw .because("'\(word.name)' is given twice") }
    settings.variables[word.name] = Setting(JSON(.string(word.value)), .setting("--var"))
  }

  static let bundleID: Parameter<Settings> = .setting(
    "bundle-id", \.bundleID, value: "ID", help: "The app; the type's suffix is added to it.",
    environment: .bundleID)

  static let headers = OptionGroup<Settings>(
    "Headers",
    [
      .header(
        .pushType, "type", value: "TYPE",
        help: "The push type; inferred from the payload when that is certain.",
        completion: .words(PushType.table.map(\.type.rawValue))),
      bundleID,
      .header(.topic, "topic", value: "TOPIC", help: "The topic, used as it is."),
      .header(
        .priority, "priority", value: "N",
        help: "How soon: 10, 5 or 1; defaults to 5 for background pushes, else to 10.",
        completion: .words(["10", "5", "1"])),
      .header(
        .expiration, "expiration", value: "TIME",
        help: "How long APNs keeps it: 0, 1h, epoch seconds or ISO 8601."),
      .header(
        .collapseID, "collapse-id", value: "ID", help: "A later push with this ID replaces it."),
      .setting(
        "apns-id", \.apnsID, value: "UUID", help: "The push's own ID; for one recipient only."),
      .option(
        "header", of: HeaderArgument.self, isRepeatable: true, value: "NAME:VALUE",
        help: "A header newer than this tool."
      ) { settings, word, _ in
        settings.headers.append(DraftField(word.name, word.value, from: .setting("--header")))
      },
    ])

  static let to = OptionGroup<Settings>(
    "To",
    [
      .settings(
        "to", \.to, of: TokenArgument.self, value: "TOKEN",
        help: "A device token in hexadecimal, or the name of a device or group.",
        completion: .lines(of: ["device", "list", "--names"])),
      .setting(
        "channel", \.channel, value: "ID",
        help: "A broadcast channel, in place of device tokens.",
        completion: .lines(of: ["channel", "list", "--known", "--ids"])),
      .settings(
        "tokens", \.tokens, of: String.self, value: "FILE",
        help: "A list: .txt, .csv or .jsonl; '-' for standard input.", completion: .file),
      .setting(
        "tokens-format", \.tokensFormat, of: ListFormat.self, value: "FORMAT",
        help: "The format of standard input, and of lists with another extension."),
      .settings(
        "suppress", \.suppress, of: String.self, value: "FILE",
        help: "A list of device tokens not to send to; '-' for standard input.",
        completion: .file),
      .setting(
        "duplicates", \.duplicates, of: RecipientReader.Duplicates.self, value: "RULE",
        help: "Send to the first row of a device token only, or to each."),
      .number("limit", \.limit, of: "pushes", in: 1...Int.max, help: "Stop after N pushes."),
      .setting(
        "shard", \.shard, of: ShardArgument.self, value: "K/N",
        help: "Send to part K of N; each device token is in exactly one."),
    ])

  static let profile: Parameter<Settings> = .setting(
    "profile", \.profile, value: "NAME",
    help: "The profile of fanfare.json that supplies defaults.",
    completion: .lines(of: ["config", "profiles"]), environment: .profile)

  static let place = OptionGroup<Settings>("Where", serviceRows + [port] + wayRows)

  /// The server that manages channels. Apple's hosts each have a single port.
  static let managementPlace = OptionGroup<Settings>(
    "Where", serviceRows + [manageHost] + wayRows)

  private static let port: Parameter<Settings> = .setting(
    "port", \.port, of: PortArgument.self, value: "N",
    help: "The port of production or sandbox, 443 or 2197.")

  static let manageHost: Parameter<Settings> = .setting(
    "manage-host", \.manageHost, value: "HOST[:PORT]",
    help: "The host that manages channels, in place of the documented one.")

  private static let serviceRows: [Parameter<Settings>] =
    [
      .setting(
        "env", \.environment, of: EnvironmentName.self, value: "NAME",
        help: "The service; emulator runs in-process, inbox is 'fanfare emulator --inbox'.",
        environment: .environment),
      .setting(
        "server", \.server, value: "URL", help: "Your own server, https://HOST:PORT.",
        environment: .server),
    ]

  private static let wayRows: [Parameter<Settings>] =
    [
      .setting(
        "ca", \.ca, value: "FILE", help: "PEM certificates to trust besides the system's.",
        completion: .file, environment: .roots),
      .setting(
        "proxy", \.proxy, value: "URL",
        help: "An HTTP or SOCKS proxy; defaults to HTTPS_PROXY."),
      profile,
      .setting(
        "tls-key-log", \.tlsKeyLog,
        help: "Write TLS keys to SSLKEYLOGFILE, to decrypt recorded traffic."),
      .setting(
        "trust-project", \.trustProject,
        help: "Accept server, CA, proxy, history and outside files of a project or run."),
    ]

  static let sendingPlace = OptionGroup<Settings>(
    place.title,
    place.parameters + [
      .setting(
        "broadcast-host", \.broadcastHost, value: "HOST[:PORT]",
        help: "Another host for pushes to a channel.")
    ])

  static let credentials = OptionGroup<Settings>(
    "Credentials",
    [
      .secret(
        "key", \.key, help: "The .p8 signing key, or '-' for standard input.", environment: .key),
      .setting(
        "key-id", \.keyID, value: "ID",
        help: "The key ID; defaults to the one in the name AuthKey_….p8.", environment: .keyID),
      .setting(
        "team-id", \.teamID, value: "ID", help: "The team ID of the developer account.",
        environment: .teamID),
      .setting(
        "key-password-file", \.keyPasswordFile, value: "FILE",
        help: "The file with an encrypted key's password, or '-' for standard input.",
        completion: .file, environment: .keyPassword),
      .setting(
        "no-token-cache", \.tokenCache, sets: false,
        help: "Sign a new provider token instead of sharing the cached one."),
      .secret(
        "cert", \.certificate,
        help: "A client certificate, .p12 or PEM, instead of a signing key.",
        environment: .certificate),
      .setting(
        "cert-key", \.certificateKey, value: "FILE",
        help: "The certificate's private key, if it is in a file of its own.",
        completion: .file),
      .setting(
        "cert-password-file", \.certificatePasswordFile, value: "FILE",
        help: "The file with the password of the .p12 or of the certificate's key.",
        completion: .file, environment: .certificatePassword),
    ])

  static let running = OptionGroup<Settings>("Running", runningRows + [force, strict])

  /// For a notification that has already been checked.
  static let runningWithoutRules = OptionGroup<Settings>("Running", runningRows)

  /// The limits, which a profile may also set.
  static let limits = OptionGroup<Settings>("Running", limitRows)

  private static let force: Parameter<Settings> = .setting(
    "force", \.force, help: "Send a notification that breaks rules, where possible.")

  static let strict: Parameter<Settings> = .setting(
    "strict", \.strict, help: "Treat warnings as errors.")

  private static let runningRows: [Parameter<Settings>] =
    [dryRun] + limitRows + [
      .setting(
        "at-most-once", \.atMostOnce,
        help: "Never resend what may have arrived; no answer ends as 'unknown'."),
      .setting(
        "no-breaker", \.breaker, sets: false,
        help: "Continue even if every push is refused for the same reason."),
      yes,
    ]

  static let yes: Parameter<Settings> = .setting(
    "yes", \.yes, short: "y", help: "Do not ask before sending to production.")

  static let dryRun: Parameter<Settings> = .setting(
    "dry-run", \.dryRun, short: "n", help: "Print the requests and send nothing.")

  static let timeout: Parameter<Settings> = .setting(
    "timeout", \.timeout, of: TimeLength.self, value: "TIME",
    help: "How long to wait for an answer.")

  static let connections: Parameter<Settings> = .setting(
    "connections", \.connections, of: ConnectionCount.self, value: "N|auto",
    help: "The number of connections; 'auto' opens more while that helps, at most "
      + "\(ConnectionCount.mostAutomatic).",
    completion: .words([ConnectionCount.auto.text]))

  private static let limitRows: [Parameter<Settings>] =
    [
      connections, timeout,
      .setting(
        "rate", \.rate, of: WrittenRate.self, value: "N[/s|/m]",
        help: "The maximum pushes per second or minute, evenly paced, over all connections."),
      .number(
        "retries", \.retries, of: "retries", in: 0...100,
        help: "How often to retry when APNs asks to try later (5xx)."),
      .setting(
        "retry-delay", \.retryDelay, of: TimeLength.self, value: "TIME",
        help: "How long to wait before the first retry; doubles each time."),
    ]

  static let history: Parameter<Settings> = .setting(
    "history", \.history, value: "FILE|URL",
    help: "The history: a file, or the URL of a PostgreSQL database.",
    completion: .file, environment: .history)

  /// The history to read.
  static let historyPlace = OptionGroup<Settings>("History", [history, profile])

  static let telling = OptionGroup<Settings>(
    "Output", resultRows + noticeRows + [noHistory] + detailRows)

  /// For a command that reads recipient lists.
  static let tellingOfLists = OptionGroup<Settings>(
    "Output", resultRows + [columns] + noticeRows + [noHistory] + detailRows)

  /// For a worker, whose runs are always in the history.
  static let tellingOfWorker = OptionGroup<Settings>(
    "Output", resultRows + noticeRows + detailRows)

  private static let columns: Parameter<Settings> = .setting(
    "columns", \.columns, of: ColumnsArgument.self, value: "NAMES",
    help: "Columns of the lists, such as user_id,locale, to repeat in results and exports.")

  private static let resultRows: [Parameter<Settings>] =
    [
      .json(help: "Print the summary as one JSON object, or only these fields of it."),
      .setting(
        "template", \.template, value: "TEXT",
        help: "Print a line per push, such as '{{token}} {{status}} {{reason}}'."),
      .setting(
        "results", \.results, value: "FILE",
        help: "Write a line per push, in .jsonl, .ndjson, .csv or .tsv; '-' prints JSON.",
        completion: .file),
      .setting(
        "dead-tokens", \.deadTokens, value: "FILE",
        help: "Write dead device tokens, in .jsonl, .ndjson, .csv, .tsv or .txt.",
        completion: .file),
    ]

  private static let quiet: Parameter<Settings> = .setting(
    "quiet", \.quiet, short: "q", help: "Print errors only, such as a rejection.")

  private static let noticeRows: [Parameter<Settings>] =
    [
      quiet,
      .setting(
        "progress", \.progress, of: ProgressWord.self, value: "WHEN",
        help: "When to show the progress line; 'auto' does on a terminal."),
      .setting(
        "verbose", \.verbose, short: "v",
        help: "Show server, credentials and content; list every cause."),
      history,
    ]

  private static let noHistory: Parameter<Settings> = .setting(
    "no-history", \.keepsHistory, sets: false,
    help: "Keep no history; such a run cannot be resumed.")

  private static let detailRows: [Parameter<Settings>] =
    [
      .setting(
        "keep-payloads", \.keepPayloads,
        help: "Keep the payload of each row of a template, not only the template."),
      .setting("show-tokens", \.showTokens, help: "Show device tokens in full."),
    ]

  // MARK: Channels

  /// The options that all channel commands share, after their own.
  ///
  /// - Parameter json: the `--json` option.
  static func channels(json: Parameter<Settings>) -> [OptionGroup<Settings>] {
    [
      managementPlace, credentials, OptionGroup("Running", [dryRun, timeout]),
      OptionGroup(
        "Output",
        [
          json, quiet,
          .setting("verbose", \.verbose, short: "v", help: "Show server and credentials."),
          history,
          .setting(
            "no-history", \.keepsHistory, sets: false,
            help: "Do not read or write what is known of channels."),
        ]),
    ]
  }
}
