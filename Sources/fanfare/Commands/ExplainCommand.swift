internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare explain`
struct ExplainCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "explain", "Explain a header, push type, key, reason or exit code, offline.",
    discussion: "Without arguments it lists everything it can explain.",
    examples: [
      Example("fanfare explain BadDeviceToken", "What it means, and what to do."),
      Example("fanfare explain apns-priority", "A header."),
      Example("fanfare explain aps.interruption-level", "A key of the payload."),
    ])

  var words: [String] = []
  var json = false

  static let groups = [
    OptionGroup<Self>(
      "Explain",
      [
        .arguments(
          "word", \.words, help: "What to explain: a name as it is written elsewhere.",
          completion: .words(Explain.completions)),
        .flag("json", \.json, help: "Print an array of JSON objects."),
      ])
  ]

  func run(_ context: Context) throws -> Report {
    try Explain(words: words, asJSON: json, context: context).run()
  }
}
