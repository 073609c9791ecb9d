internal import CommandLineKit
internal import HistoryCommands
internal import Reporting
internal import Settings

/// `fanfare report`
struct ReportCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "report", "Summarize files of results, without a history.",
    discussion: """
      Reads what --results or 'history export' wrote, in .jsonl or .csv, and shows outcomes, \
      reasons, speed, percentiles and a histogram of latencies. Several files count as one: of the \
      lines with the same apns-id, as 'fanfare resume' appends them, the last one counts.

      A line that is not a result is reported with its number and left out; the exit code is then 1.
      """,
    examples: [
      Example("fanfare report results.jsonl", "What came of a run."),
      Example(
        "fanfare report results.jsonl rest.jsonl --html report.html",
        "Two files as one, with a page of charts and pushes."),
      Example(
        "fanfare report results.jsonl --json=acceptance,latency", "Two figures, for a script."),
    ])

  var report = ReportResults()

  static let groups = [
    OptionGroup<Self>(
      "Report",
      [
        .arguments(
          "file", \.report.files, help: "Files of results; '-' is standard input.",
          isRequired: true, completion: .file),
        .json(help: "Print one JSON object, or only these fields of it.") {
          $0.report.json = $1
        },
        .option(
          "html", \.report.html, value: "FILE",
          help: "Write an HTML page with charts and a table of pushes.", completion: .file),
        .flag(
          "show-tokens", \.report.showsTokens, help: "Show whole device tokens on the page."),
      ])
  ]

  func run(_ context: Context) throws -> Report { try report.run(context) }
}
