internal import CommandLineKit

/// What to say about it.
struct TellingOptions: Sendable, Equatable {
  var json = false
  var results: String?
  var deadTokens: String?
  var quiet = false
  var verbose = false
  var history: String?
  var keepsHistory = true
  var keepPayloads = false
  var showTokens = false

  static let group = OptionGroup<Self>(
    "Telling",
    [
      .flag("json", \.json, help: "Print the summary as one JSON object."),
      .option(
        "results", \.results, value: "FILE",
        help: "A line per push, in .jsonl or .csv; '-' for standard output.", completion: .file),
      .option(
        "dead-tokens", \.deadTokens, value: "FILE",
        help: "The device tokens that are dead, in .txt, .csv or .jsonl, for --suppress.",
        completion: .file),
      .flag("quiet", \.quiet, short: "q", help: "Print errors only."),
      .flag(
        "verbose", \.verbose, short: "v",
        help: "Say where a run goes, who signs and what is sent; list every cause."),
      .option(
        "history", \.history, value: "FILE", help: "The database of what was sent.",
        completion: .file, environment: EnvironmentVariable.history.rawValue),
      .flag(
        "no-history", \.keepsHistory, sets: false,
        help: "Write nothing down; such a run cannot be resumed."),
      .flag(
        "keep-payloads", \.keepPayloads,
        help: "Keep what each row made of a template, not only the template."),
      .flag("show-tokens", \.showTokens, help: "Show device tokens whole."),
    ])
}
