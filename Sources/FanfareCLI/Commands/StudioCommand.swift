internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Studio

/// `fanfare studio`
struct StudioCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "studio", "Compose, check and send notifications in a browser.",
    discussion: """
      Serves a page on 127.0.0.1 for the scenarios, payloads and lists in a folder: a form beside \
      the JSON, with hints, checks and a preview, sending, and the history. It prints the page's \
      URL with a key that is new at each start, and runs until it is interrupted.

      The page runs this program in the folder, and shows the command line for everything it does. \
      It writes only scenarios, payloads and lists there; it never sees a key, a password or \
      fanfare.json. Before production, it asks as 'send' does on a terminal. docs/studio.md tells \
      more.
      """,
    examples: [
      Example("fanfare studio", "The files in this folder."),
      Example("fanfare studio scenarios --open", "Those of a folder, in the browser at once."),
    ])

  var folder: String?
  var port = PortArgument(port: 0)
  var opens = false

  static let groups = [
    OptionGroup<Self>(
      "Studio",
      [
        .arguments(
          "folder", \.folder, help: "The folder; defaults to the current one.",
          completion: .folder),
        .option("port", \.port, value: "N", help: "The port; 0 picks a free one."),
        .flag("open", \.opens, help: "Open the page in the browser."),
      ])
  ]

  func run(_ context: Context) throws -> Report {
    try ServeStudio(folder ?? ".", port: port.port, opens: opens, context).run()
  }
}
