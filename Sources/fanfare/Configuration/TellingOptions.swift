internal import CommandLineKit

/// What to say about it.
struct TellingOptions: Sendable, Equatable {
  var json = false
  var results: String?
  var quiet = false
  var verbose = false
  var showTokens = false

  static let group = OptionGroup<Self>(
    "Telling",
    [
      .flag("json", \.json, help: "Print the summary as one JSON object."),
      .option(
        "results", \.results, value: "FILE",
        help: "A line per push, in .jsonl or .csv; '-' for standard output.", completion: .file),
      .flag("quiet", \.quiet, short: "q", help: "Print errors only."),
      .flag(
        "verbose", \.verbose, short: "v",
        help: "Say where a run goes, who signs and what is sent; list every cause."),
      .flag("show-tokens", \.showTokens, help: "Show device tokens whole."),
    ])
}
