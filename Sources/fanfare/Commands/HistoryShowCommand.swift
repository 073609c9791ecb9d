internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

/// `fanfare history show`
struct HistoryShowCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "show", "Show a run, or the request and the answer of a push.",
    discussion: """
      Defaults to the newest run. The history never contains the provider token. A payload that \
      was filled from a row is rebuilt from its list, unless the run kept payloads.
      """,
    examples: [
      Example("fanfare history show", "The newest run."),
      Example("fanfare history show 12", "Run 12."),
      Example(
        "fanfare history show 6b1f0c52-93a7-4e1d-8d2c-000000000001",
        "A push with its request and its answer."),
    ])

  var show = HistoryShow()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Show",
        [
          .arguments(
            "run-or-id", \.show.place, help: "What to show; defaults to the newest run.",
            completion: .runs),
          .flag("json", \.show.isJSON, help: "Print one JSON object."),
          .flag("show-tokens", \.show.showsTokens, help: "Show whole device tokens."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.show.settings)]

  func run(_ context: Context) throws -> Report { try show.run(context) }
}
