internal import APNS
internal import CommandLineKit
internal import Reporting
internal import Scenarios
internal import Settings

/// `fanfare check`
struct CheckCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "check", "Check payloads, scenarios and token lists without sending anything.",
    discussion: """
      The name tells what a file contains: .json and .apns a payload, .json5 a scenario or an \
      emulator script, fanfare.json profiles, .txt, .csv and .jsonl a list of device tokens. \
      Folders are searched for such files, but not for .csv, .tsv and JSON Lines, which are often \
      results, nor for hidden files and README. Options are checked too, and override files, as \
      they do for send.

      The push type of a payload is the one from --type, or the one its folder is named after, \
      or the only one it can be. A scenario is checked with its payload and lists, fanfare.json \
      with everything its profiles refer to; no secret is read. Nothing is sent, so topic and key \
      may be missing.

      Problems are printed with file, line and column, followed by a summary. The exit code is 2 \
      if there is an error, and 0 otherwise, so check can be a pre-commit hook of git: write \
      '#!/bin/sh' and the last example into .git/hooks/pre-commit, and make the file executable.
      """,
    examples: [
      Example("fanfare check payloads scenarios", "Everything in two folders."),
      Example("fanfare check --type voip call.json beta.txt", "A payload and a list."),
      Example("fanfare check --title Hello --priority 5 --json", "Options, for a script."),
      Example("fanfare check --quiet payloads", "What a pre-commit hook runs."),
    ])

  var options = Settings()
  var files: [String] = []

  static let groups =
    [
      OptionGroup<Self>(
        "Files",
        [
          .arguments(
            "file", \.files, help: "Files and folders; '-' is a payload on standard input.",
            completion: .file)
        ])
    ] + contents.map { $0.inside(\Self.options) }

  /// Inputs other than files, and output options.
  private static let contents: [OptionGroup<Settings>] = [
    SettingOptions.what, SettingOptions.headers, SettingOptions.to,
    OptionGroup(
      "Where",
      [
        .option(
          "env", of: EnvironmentName.self, value: "NAME",
          help: "The service it is for, which decides how to authenticate."
        ) { settings, word, _ in settings.environment = Setting(word.value, .setting("--env")) },
        .setting("profile"),
      ]),
    OptionGroup(
      "Output",
      [
        .wholeJSON(), .setting("quiet", help: "Print errors only."), .setting("strict"),
        .setting("show-tokens", help: "Show bad lines of lists in full."),
      ]),
  ]

  func run(_ context: Context) throws -> Report {
    try Check(files, options, context).run()
  }
}
