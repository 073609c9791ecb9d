internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

/// `fanfare history diff`
struct HistoryDiffCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "diff", "Compare two pushes, or two runs.",
    discussion: """
      Compares the requests: server, header fields, and the payload member by member; then the \
      answers, or for runs the number of pushes per outcome. Of a run and a push, only the requests \
      are compared. The exit code is 0 if nothing differs, 1 if something does, and 2 if they \
      cannot be compared. Latencies are shown but do not count, since they always differ.
      """,
    examples: [
      Example("fanfare history diff 11 12", "What run 12 sent differently."),
      Example(
        "fanfare history diff 6b1f0c52-93a7-4e1d-8d2c-000000000001 "
          + "6b1f0c52-93a7-4e1d-8d2c-000000000002",
        "Why one push was rejected and the other was not."),
    ])

  var diff = HistoryDiff()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Compare",
        [
          .arguments(
            "run-or-id", \.diff.places, help: "Two of them, the older one first.",
            isRequired: true, completion: .runs),
          .flag("json", \.diff.isJSON, help: "Print one JSON object."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.diff.settings)]

  func run(_ context: Context) throws -> Report { try diff.run(context) }
}
