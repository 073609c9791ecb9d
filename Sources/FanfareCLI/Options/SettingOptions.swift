internal import APNS
internal import CommandLineKit
internal import Reporting
internal import Settings

/// The options for settings, in groups as help shows them. The options themselves are in the rows
/// of ``Settings/fields``.
enum SettingOptions {
  /// The groups of `send`.
  static let sending = sending(
    to: sendingPlace, OptionGroup("Running", runningNames + ["curl", "force", "strict"]))

  /// The groups of `run`, whose scenarios may create channels.
  static let sendingScenarios = sending(
    to: OptionGroup("Where", places(["port"]) + ["broadcast-host", "manage-host"]),
    OptionGroup("Running", runningNames + ["force", "strict"]))

  private static func sending(
    to place: OptionGroup<Settings>, _ running: OptionGroup<Settings>
  ) -> [OptionGroup<Settings>] {
    [what, headers, to, place, credentials, running, tellingOfLists]
  }

  static let what = OptionGroup<Settings>(
    "What", ["payload", "example"] + PayloadOption.table.map { $0.name } + ["var"])

  static let headers = OptionGroup<Settings>(
    "Headers",
    [
      .header(
        .pushType, "type", value: "TYPE",
        help: "The push type; inferred from the payload when that is certain.",
        completion: .words(PushType.table.map(\.type.rawValue))),
      .setting("bundle-id"),
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
      .setting("apns-id"),
      .option(
        "header", of: HeaderArgument.self, isRepeatable: true, value: "NAME:VALUE",
        help: "A header newer than this tool."
      ) { settings, word, _ in
        settings.headers.append(DraftField(word.name, word.value, from: .setting("--header")))
      },
    ])

  static let to = OptionGroup<Settings>(
    "To",
    ["to", "channel", "tokens", "tokens-format", "suppress", "duplicates", "limit", "shard"])

  static let place = OptionGroup<Settings>("Where", places(["port"]))

  /// The server that manages channels. Apple's hosts each have a single port.
  static let managementPlace = OptionGroup<Settings>("Where", places(["manage-host"]))

  static let sendingPlace = OptionGroup<Settings>("Where", places(["port"]) + ["broadcast-host"])

  private static func places(_ ports: [String]) -> [String] {
    ["env", "server"] + ports + ["ca", "proxy", "profile", "tls-key-log", "trust-project"]
  }

  static let credentials = OptionGroup<Settings>(
    "Credentials",
    [
      "key", "key-id", "team-id", "key-password-file", "no-token-cache", "cert", "cert-key",
      "cert-password-file",
    ])

  /// For a notification that has already been checked.
  static let runningWithoutRules = OptionGroup<Settings>("Running", runningNames)

  /// The limits, which a profile may also set.
  static let limits = OptionGroup<Settings>("Running", limitNames)

  private static let runningNames =
    ["dry-run", "plan"] + limitNames + ["max-time", "at-most-once", "no-breaker", "yes"]

  private static let limitNames = ["connections", "timeout", "rate", "retries", "retry-delay"]

  /// The history to read.
  static let historyPlace = OptionGroup<Settings>("History", ["history", "profile"])

  /// For a command whose runs are always in the history.
  static let telling = OptionGroup<Settings>("Output", resultNames + noticeNames + detailNames)

  /// For a command that reads recipient lists.
  static let tellingOfLists = OptionGroup<Settings>(
    "Output",
    resultNames.map { .setting($0) } + [columns]
      + (noticeNames + ["no-history"] + detailNames).map { .setting($0) })

  private static let resultNames = ["json", "template", "results", "results-format", "dead-tokens"]
  private static let noticeNames = ["quiet", "progress", "verbose", "history"]
  private static let detailNames = ["keep-payloads", "show-tokens"]

  private static let columns: Parameter<Settings> = .option(
    "columns", of: ColumnsArgument.self, value: "NAMES",
    help: "Columns of the lists, such as user_id,locale, to repeat in results and exports."
  ) { settings, word, _ in settings.columns = Setting(word.value, .setting("--columns")) }

  /// The options that all channel commands share, after their own.
  ///
  /// - Parameter json: the `--json` option.
  static func channels(json: Parameter<Settings>) -> [OptionGroup<Settings>] {
    [
      managementPlace, credentials, OptionGroup("Running", ["dry-run", "timeout"]),
      OptionGroup(
        "Output",
        [
          json, .setting("quiet"),
          .setting("verbose", help: "Show server and credentials."), .setting("history"),
          .setting("no-history", help: "Do not read or write what is known of channels."),
        ]),
    ]
  }
}

extension OptionGroup<Settings> {
  /// Creates a group of options, by their long names.
  init(_ title: String, _ names: [String]) { self.init(title, names.map { .setting($0) }) }
}

extension Parameter<Settings> {
  /// The option of a setting, by its long name.
  ///
  /// - Parameter help: a sentence for one command; nil uses that of the row.
  static func setting(_ name: String, help: String? = nil) -> Self {
    let option = Settings.option(name)
    return help.map { option.explained($0) } ?? option
  }

  /// `--json` as a setting, without a choice of fields.
  static func wholeJSON(help: String = "Print one JSON object.") -> Self {
    .flag("json", help: help) { $0.json = Setting(.all, .setting("--json")) }
  }

  /// An option for a header.
  fileprivate static func header(
    _ header: HeaderName, _ name: String, value: String, help: String,
    completion: Completion = .none
  ) -> Self {
    .option(name, of: String.self, value: value, help: help, completion: completion) {
      settings, text, _ in
      settings[header] = DraftField(header, text, from: .setting("--" + name))
    }
  }
}
