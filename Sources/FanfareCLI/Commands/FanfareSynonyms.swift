internal import APNS
internal import CommandLineKit
internal import Reporting
internal import Settings

// A test proves that every suggestion exists.
extension Synonyms {
  /// Words that people may type instead of fanfare's own.
  static var fanfare: Synonyms {
    Synonyms(
      commands: commands, options: options,
      values: ["--env": EnvironmentSetting.otherNames, "FORMAT": formats],
      optionOfArgument: option(ofArgument:))
  }

  /// Other names for the configuration file in 'config schema'.
  private static let formats: [Row] = [
    ("fanfare", ["config"]), ("fanfare.json", ["config"]), ("config.json", ["config"]),
    ("profiles", ["config"]), ("devices", ["config"]),
  ]

  /// A device token, a payload or a list without its option.
  @Sendable private static func option(ofArgument word: String) -> String? {
    if word.utf8.count >= 8, (try? DeviceToken(tidying: word)) != nil { return "--to TOKEN" }
    return switch FileKind(path: word) {
    case .payload: "--payload FILE"
    case .list: "--tokens FILE"
    case .scenario, .script, .configuration, nil: nil
    }
  }

  private static var commands: [Row] {
    [
      ("push", ["send"]), ("notify", ["send"]), ("post", ["send"]), ("publish", ["send"]),
      ("test", ["send", "check"]), ("lint", ["check"]), ("validate", ["check"]),
      ("verify", ["check"]), ("scenario", ["run"]), ("play", ["run"]),
      ("continue", ["resume"]), ("retry", ["resume", "history resend"]),
      ("log", ["history list"]), ("logs", ["history list"]), ("ls", ["history list"]),
      ("runs", ["history list"]), ("follow", ["history tail"]),
      ("watch", ["send --watch", "history tail"]),
      ("curl", ["send --curl", "history export --format curl"]),
      ("har", ["history export --format har"]),
      ("replay", ["history resend"]), ("repeat", ["send --again", "history resend"]),
      ("again", ["send --again"]),
      ("compare", ["history diff"]), ("clean", ["history prune"]),
      ("history ls", ["history list"]), ("history log", ["history list"]),
      ("history get", ["history show"]), ("history follow", ["history tail"]),
      ("history rm", ["history prune"]), ("history delete", ["history prune"]),
      ("history clean", ["history prune"]), ("history compare", ["history diff"]),
      ("history replay", ["history resend"]), ("history retry", ["history resend"]),
      ("history save", ["history export"]), ("history curl", ["history export --format curl"]),
      ("man", ["manual"]), ("docs", ["manual"]), ("usage", ["help"]),
      ("completion", ["completions"]), ("server", ["emulator"]), ("serve", ["emulator"]),
      ("mock", ["emulator"]), ("simulator", ["simulate", "emulator"]), ("sim", ["simulate"]),
      ("jwt", ["token"]), ("auth", ["token"]), ("login", ["token"]),
      ("config list", ["config show"]), ("config get", ["config show"]),
      ("settings", ["config show"]), ("profile", ["config profiles"]), ("diagnose", ["doctor"]),
      ("devices", ["device list"]), ("device ls", ["device list"]),
      ("device show", ["device list"]), ("device get", ["device list"]),
      ("device rm", ["device remove"]), ("device delete", ["device remove"]),
      ("channels", ["channel list"]), ("broadcast", ["send --channel", "channel"]),
      ("channel ls", ["channel list"]), ("channel get", ["channel show"]),
      ("channel read", ["channel show"]), ("channel info", ["channel show"]),
      ("channel new", ["channel create"]), ("channel add", ["channel create"]),
      ("channel rm", ["channel delete"]), ("channel remove", ["channel delete"]),
      ("ping", ["doctor"]), ("connect", ["doctor"]), ("new", ["init"]),
      ("create", ["init", "channel create"]),
      ("setup", ["init"]), ("why", ["explain"]), ("cert", ["inspect"]), ("decode", ["inspect"]),
      ("payloads", ["example"]), ("template", ["example"]),
    ]
  }

  private static var options: [Row] {
    recipients + contents + credentials + places + output + [
      ("--curl", ["--format curl", "history export --format curl"]),
      ("--har", ["--format har", "history export --format har"]),
      ("--dry", ["--dry-run"]), ("--simulate", ["--dry-run"]), ("--concurrency", ["--connections"]),
      ("--parallelism", ["--connections"]), ("--workers", ["--connections"]),
      ("--retry", ["--retries"]), ("--throttle", ["--rate"]), ("--rps", ["--rate"]),
      ("--count", ["--limit"]), ("--max", ["--limit"]), ("--ignore-errors", ["--force"]),
    ]
  }

  private static var recipients: [Row] {
    [
      ("--token", ["--to"]), ("--device", ["--to"]), ("--device-token", ["--to"]),
      ("--recipient", ["--to"]), ("--udid", ["--to"]), ("-t", ["--to"]), ("-d", ["--to"]),
      ("--devices", ["--tokens"]), ("--device-tokens", ["--tokens"]), ("--list", ["--tokens"]),
      ("--recipients", ["--tokens"]), ("--tokens-file", ["--tokens"]), ("--csv", ["--tokens"]),
      ("--exclude", ["--suppress"]), ("--skip-tokens", ["--suppress"]),
    ]
  }

  private static var contents: [Row] {
    [
      ("--file", ["--payload"]), ("--data-file", ["--payload"]), ("--json-file", ["--payload"]),
      ("--payload-file", ["--payload"]), ("--data-raw", ["--payload"]),
      ("--data-binary", ["--payload"]), ("-p", ["--payload"]), ("-f", ["--payload"]),
      ("--message", ["--body"]), ("--alert", ["--body"]), ("--text", ["--body"]),
      ("-m", ["--body"]), ("--heading", ["--title"]), ("--custom", ["--data"]),
      ("--extra", ["--data"]), ("--user-info", ["--data"]), ("--field", ["--set"]),
      ("--silent", ["--content-available"]), ("--background", ["--content-available"]),
      ("--mutable", ["--mutable-content"]), ("--thread", ["--thread-id"]),
      ("--volume", ["--critical"]), ("--level", ["--interruption-level"]),
      ("--push-type", ["--type"]), ("--apns-push-type", ["--type"]),
      ("--apns-topic", ["--topic"]), ("--apns-priority", ["--priority"]),
      ("--apns-expiration", ["--expiration"]), ("--apns-collapse-id", ["--collapse-id"]),
      ("--expiry", ["--expiration"]), ("--expires", ["--expiration"]), ("--ttl", ["--expiration"]),
      ("--collapse-key", ["--collapse-id"]), ("--collapse", ["--collapse-id"]),
      ("--uuid", ["--apns-id"]), ("--id", ["--apns-id"]), ("-H", ["--header"]),
      ("--variable", ["--var"]), ("--define", ["--var"]),
    ]
  }

  private static var credentials: [Row] {
    [
      ("--p8", ["--key"]), ("--auth-key", ["--key"]), ("--key-file", ["--key"]),
      ("--private-key", ["--key"]), ("--p8-file", ["--key"]), ("--kid", ["--key-id"]),
      ("--auth-key-id", ["--key-id"]), ("--team", ["--team-id"]), ("--iss", ["--team-id"]),
      ("--p12", ["--cert"]), ("--pem", ["--cert"]), ("--certificate", ["--cert"]),
      ("--pfx", ["--cert"]), ("--password", ["--cert-password-file", "--key-password-file"]),
      ("--passphrase", ["--cert-password-file", "--key-password-file"]),
      ("--bundle", ["--bundle-id"]), ("--app", ["--bundle-id"]), ("--app-id", ["--bundle-id"]),
    ]
  }

  private static var places: [Row] {
    [
      ("--sandbox", ["--env sandbox"]), ("--development", ["--env sandbox"]),
      ("--dev", ["--env sandbox"]), ("--production", ["--env production"]),
      ("--prod", ["--env production"]), ("--emulator", ["--env emulator"]),
      ("--environment", ["--env"]), ("-e", ["--env"]), ("--host", ["--server"]),
      ("--url", ["--server"]), ("--endpoint", ["--server"]), ("--gateway", ["--server"]),
      ("--cacert", ["--ca"]), ("--database", ["--history"]), ("--db", ["--history"]),
    ]
  }

  private static var output: [Row] {
    [
      ("-V", ["--version"]), ("-v", ["--version"]), ("--usage", ["--help"]), ("-?", ["--help"]),
      ("--out", ["--output", "--results"]), ("-o", ["--output", "--results"]),
      ("--output", ["--results"]), ("--report", ["--results", "--junit"]),
      ("--silence", ["--quiet"]), ("--debug", ["--verbose"]), ("--trace", ["--verbose"]),
      ("--after", ["--since"]), ("--before", ["--until"]), ("--status", ["--outcome"]),
      ("--start", ["--since"]), ("--end", ["--until"]), ("--last", ["--since"]),
      ("--full-tokens", ["--show-tokens"]), ("--channel-id", ["--channel"]),
      ("--storage-policy", ["--store"]), ("--message-storage-policy", ["--store"]),
    ]
  }
}
