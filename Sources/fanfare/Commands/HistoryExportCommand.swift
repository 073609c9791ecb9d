internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

/// `fanfare history export`
struct HistoryExportCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "export", "Export pushes as JSON, a table, HAR, curl commands or an HTML page.",
    discussion: """
      Exports the pushes of runs, single pushes, or without an argument all pushes that match, \
      oldest first. Files can be read by their owner only, because they contain whole device \
      tokens; on the page tokens are shortened. Provider tokens are never exported. With har and \
      curl the exit code is 1 if payloads are lost: their lists have changed and the run kept none.
      """,
    examples: [
      Example(
        "fanfare history export --since 7d --output week.jsonl", "The last week as JSON Lines."),
      Example(
        "fanfare history export 12 --output run.csv",
        "Run 12 for a spreadsheet, with formulas disarmed."),
      Example(
        "fanfare history export 6b1f0c52-93a7-4e1d-8d2c-000000000001 --format curl",
        "A curl command that sends this push again."),
      Example("fanfare history export --html report.html", "A single page with charts and pushes."),
    ])

  var filter = HistoryFilterOptions()
  var export = HistoryExport()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Export",
        [
          .arguments(
            "run-or-id", \.export.places, help: "Export only these runs and pushes.",
            completion: .runs),
          .option(
            "format", \.export.files.format,
            help: "Format; defaults to the file's: .jsonl, .ndjson, .csv, .tsv, .har, .sh."),
          .option(
            "output", \.export.files.output, short: "o", value: "FILE",
            help: "Write to this file; '-' is standard output.",
            completion: .file),
          .flag("exact", \.export.files.isExact, help: "In a table, do not disarm formulas."),
          .option(
            "html", \.export.files.html, value: "FILE",
            help: "Write an HTML page with charts and a table of pushes.",
            completion: .file),
          .flag(
            "show-tokens", \.export.files.showsTokens, help: "Show whole device tokens on the page."
          ),
        ])
    ] + [
      HistoryFilterOptions.group.inside(\Self.filter),
      SettingOptions.historyPlace.inside(\Self.export.settings),
    ]

  func run(_ context: Context) throws -> Report {
    var export = export
    export.filter = filter.filter(context)
    return try export.run(context)
  }
}
