internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare explain`
struct ExplainCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "explain", "Explain a header, push type, key, reason or exit code, offline.",
    discussion: """
      Without arguments it shows the kinds of things it can explain; a kind, such as 'rules' or \
      'exit codes', lists all of that kind.
      """,
    examples: [
      Example("fanfare explain BadDeviceToken", "What it means, and what to do."),
      Example("fanfare explain apns-priority", "A header."),
      Example("fanfare explain aps.interruption-level", "A key of the payload."),
      Example("fanfare explain exit 4", "An exit code; 'exit' alone lists them all."),
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

/// `fanfare example`
struct ExampleCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "example", "List the payloads that come with fanfare, or print one.",
    discussion: """
      There are payloads for every push type. 'fanfare send --example NAME' sends one, changed by \
      options such as --title and --set; the dates of a Live Activity are then moved to now.
      """,
    examples: [
      Example("fanfare example", "All of them, by push type."),
      Example("fanfare example alert/order > order.json", "A file to start from."),
    ])

  var name: String?
  var json = false

  static let groups = [
    OptionGroup<Self>(
      "Example",
      [
        .arguments(
          "name", \.name, help: "The example to print, such as alert/plain.",
          completion: .words(ExamplePayload.names)),
        .flag("json", \.json, help: "Print JSON: the list, or the example with its summary."),
      ])
  ]

  func run(_ context: Context) throws -> Report {
    try ShowExamples(name: name, asJSON: json, context: context).run()
  }
}
