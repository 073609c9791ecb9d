internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

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
