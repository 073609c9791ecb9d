internal import CommandLineKit
internal import Recipients

/// Who to send to.
struct RecipientOptions: Sendable, Equatable {
  var to: [TokenArgument] = []
  var tokens: [String] = []
  var format = ListFormatName.txt
  var suppress: [String] = []
  var duplicates = DuplicateRule.first
  var limit: PushLimit?
  var shard: ShardArgument?

  static let group = OptionGroup<Self>(
    "To",
    [
      .option("to", \.to, value: "TOKEN", help: "A device token in hexadecimal."),
      .option(
        "tokens", \.tokens, value: "FILE",
        help: "A list: .txt, .csv or .jsonl; '-' for standard input.", completion: .file),
      .option(
        "tokens-format", \.format, value: "FORMAT",
        help: "How standard input is written, and a list with another ending."),
      .option(
        "suppress", \.suppress, value: "FILE",
        help: "A list of device tokens not to send to; '-' for standard input.",
        completion: .file),
      .option(
        "duplicates", \.duplicates, value: "RULE",
        help: "Send to the first row of a device token only, or to each."),
      .option("limit", \.limit, value: "N", help: "Make the first N pushes, and read no further."),
      .option(
        "shard", \.shard, value: "K/N",
        help: "Send to part K of N; each device token is in one of them."),
    ])

  /// The recipients in the order of their lists; empty when none were said.
  var sources: [RecipientSource] {
    let single = to.isEmpty ? [] : [RecipientSource.tokens(to.map(\.token))]
    return single + tokens.map(Self.source)
  }

  /// The lists of those who are not sent to.
  var suppressedSources: [RecipientSource] { suppress.map(Self.source) }

  /// The options that read a file, each with its name.
  var inputs: [(option: String, file: String)] {
    tokens.map { ("--tokens", $0) } + suppress.map { ("--suppress", $0) }
  }

  /// Which rows are sent to.
  func selection(without suppressed: SuppressedTokens?) -> RecipientSelection {
    RecipientSelection(
      duplicates: duplicates.rule, suppressed: suppressed, shard: shard?.shard,
      limit: limit?.count)
  }

  private static func source(_ path: String) -> RecipientSource {
    path == "-" ? .standardInput : .file(path)
  }
}
