internal import CommandLineKit
internal import Settings

/// A command that the page may run, with the words that it may have.
struct AllowedCommand: Sendable {
  /// The value of an option.
  enum Value: Sendable {
    /// It has none.
    case flag
    case text
    /// It may have text.
    case optional
    /// A file of the project, or a folder.
    case file
    /// A file of the project that need not exist.
    case newFile
    /// A file of the project, or JSON.
    case payload
    /// Device tokens and names, but no list.
    case recipients
    case environment
  }

  /// The words besides options.
  enum Operands: Sendable {
    case none, texts, files
    /// Files, or `-` for standard input.
    case filesOrInput
    /// `-` alone.
    case input
  }

  let name: [String]
  let operands: Operands
  let options: [String: Value]
  /// A call needs one of these options: without them the command sends or writes. Nil if it may
  /// always be called.
  private(set) var needsForCall: [String]?
  /// It sends, unless an option keeps it from that.
  private(set) var isRun = false
  /// The words that the studio adds.
  private(set) var added: [String] = []

  /// A command that sends nothing.
  private static func call(
    _ name: String, _ operands: Operands, _ options: [String: Value]...,
    needing flags: [String]? = nil, adding words: [String] = []
  ) -> Self {
    Self(
      name: name.split(separator: " ").map(String.init), operands: operands,
      options: options.reduce([:]) { $0.merging($1) { $1 } }, needsForCall: flags, added: words)
  }

  /// A command that sends, unless a flag keeps it from that.
  private static func run(
    _ name: String, _ operands: Operands, _ options: [String: Value]...
  ) -> Self {
    let dry = ["plan", "dry-run", "curl", "list"]
    let all = options.reduce(place.merging(output) { $1 }) { $0.merging($1) { $1 } }
    return Self(
      name: name.split(separator: " ").map(String.init), operands: operands, options: all,
      needsForCall: dry.filter { all[$0] != nil }, isRun: true)
  }
}

// The table.
extension AllowedCommand {
  /// All commands. Keys, certificates, servers, proxies, histories and files to write are in none.
  static let table: [Self] = [
    .run(
      "send", .none, content, headers, recipients, running, settings("curl"), ["again": .optional]),
    .run(
      "run", .files, content, headers, recipients, running, flags("list"),
      texts("only", "from", "parallel"),
      ["script": .file]),
    .run("resume", .texts, flags("now", "dry-run", "plan")),
    .run(
      "history resend", .texts, limits, flags("dry-run", "plan", "include-resent"),
      texts("only", "reason", "limit", "expiration")),
    .call(
      "check", .filesOrInput, content, headers, recipients, place,
      flags("json", "strict", "show-tokens")),
    .call(
      "preview", .files, content, headers, recipients, flags("json"), texts("step", "profile")),
    .call(
      "simulate", .files, content, texts("bundle-id", "profile"), adding: ["--output=-"]),
    .call("explain", .texts, flags("json")),
    .call("example", .texts, flags("json")),
    .call("device list", .none, flags("names", "json", "show-tokens")),
    .call(
      "device add", .texts, ["env": .environment], texts("bundle-id"), flags("json", "show-tokens")),
    .call("device remove", .texts),
    .call("config show", .files, place, limits, flags("json"), texts("bundle-id")),
    .call(
      "history list", .texts, filter, ["json": .optional], texts("limit", "skip"),
      flags("pushes", "show-tokens")),
    .call("history show", .texts, flags("json", "show-tokens"), texts("profile")),
    .call("history stats", .texts, filter, flags("json"), texts("by")),
    .call("history diff", .texts, flags("json"), texts("profile")),
    .call(
      "history export", .texts, filter, texts("format"), flags("exact", "show-tokens"),
      adding: ["--output=-"]),
    .call(
      "init", .input, ["from-curl": .flag, "output": .newFile], needing: ["from-curl"]),
  ]

  private static let content = settings(of: .what)
  private static let headers = settings(of: .headers).merging(
    texts("type", "topic", "priority", "expiration", "collapse-id", "header")
  ) { $1 }
  private static let recipients = settings(of: .to)
  private static let place = settings("env", "profile")
  private static let limits = settings("connections", "timeout", "rate", "retries", "retry-delay")
  private static let running = limits.merging(
    settings("dry-run", "plan", "at-most-once", "no-breaker", "force", "strict")
  ) { $1 }
  private static let output = settings("json", "keep-payloads", "show-tokens")
  private static let filter = texts(
    "since", "until", "env", "scenario", "bundle-id", "type", "text", "outcome", "reason", "token",
    "apns-id", "profile")

  private static func settings(of part: SettingField.Part) -> [String: Value] {
    values(Settings.options(of: part))
  }

  private static func settings(_ names: String...) -> [String: Value] {
    values(names.map(Settings.option))
  }

  private static func values(_ options: [Parameter<Settings>]) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: options.map { ($0.name, Value($0.row)) })
  }

  private static func flags(_ names: String...) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, .flag) })
  }

  private static func texts(_ names: String...) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, .text) })
  }
}

extension AllowedCommand.Value {
  /// The value of a setting's option.
  fileprivate init(_ option: ParameterDescription) {
    switch option.name {
    case "env": self = .environment
    case "to": self = .recipients
    case "payload": self = .payload
    default:
      self =
        option.kind != .option
        ? .flag : option.isValueOptional ? .optional : option.completion == .file ? .file : .text
    }
  }
}
