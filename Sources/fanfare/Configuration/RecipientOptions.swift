internal import CommandLineKit
internal import PushCore

/// Who to send to.
struct RecipientOptions: Sendable, Equatable {
  var to: [TokenArgument] = []
  var tokens: [String] = []
  var duplicates = DuplicateRule.first

  static let group = OptionGroup<Self>(
    "To",
    [
      .option("to", \.to, value: "TOKEN", help: "A device token in hexadecimal."),
      .option(
        "tokens", \.tokens, value: "FILE",
        help: "A list, a device token a line; '-' for standard input.", completion: .file),
      .option(
        "duplicates", \.duplicates, value: "RULE",
        help: "Send to the first row of a device token only, or to each."),
    ])

  /// The recipients in the order of their lists; empty when none were said.
  var sources: [RecipientSource] {
    let single = to.isEmpty ? [] : [RecipientSource.tokens(to.map(\.token))]
    return single + tokens.map { $0 == "-" ? .standardInput : .file($0) }
  }
}
