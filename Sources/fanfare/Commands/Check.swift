internal import CommandLineKit

/// `fanfare check`
struct Check: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "check", "Check payloads, scenarios and token lists; send nothing.",
    discussion: """
      A file is known by its name: .json and .apns hold a payload, .json5 a scenario \
      or a script for the emulator, fanfare.json profiles, .txt, .csv and .jsonl a list of device tokens. Folders are searched for \
      such files, hidden ones and README left out. Options are checked too, and override what files say, as they do for send.

      A payload is of the push type that --type says, else the one its folder is named after, \
      else the one it can only be. A scenario is checked with the payload and the lists it names, \
      fanfare.json with what its profiles refer to; no secret is read. \
      Nobody is sent to, so that topic and key may be absent.

      Each problem is told with file, line and column, and a summary follows. The exit code is 0, \
      or 2 when there is an error. That makes it a pre-commit hook of git: write '#!/bin/sh' and \
      the last example into .git/hooks/pre-commit, and make that file executable.
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
    ] + CheckOptions.groups.map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> ExitCode {
    try refuseTwoInputs()
    try refuseSharedID()
    let configuration = try CheckedConfiguration(options, context)
    let checking = Checking(options: options, context: configuration.context)
    let checked = configuration.faults(beside: try checking.check(files))
    if checked.isEmpty, files.isEmpty { throw Failure.usage(.missingArgument("FILE")) }
    tell(checked, context)
    context.annotate(checked.flatMap(\.problems))
    return checked.contains { $0.errors > 0 } ? .usage : .success
  }

  private func refuseTwoInputs() throws(Failure) {
    let named =
      files.map { ($0, "FILE") } + options.readingStandardInput.map { ("-", $0) }
    let reading = named.filter { $0.0 == "-" }.map(\.1)
    if reading.count > 1 { throw .usage(.conflict("\(reading[0]) -", "\(reading[1]) -")) }
  }

  private func refuseSharedID() throws(Failure) {
    let sources = options.recipientSources
    if options.apnsID != nil, !sources.isEmpty, !sources.isOneToken {
      throw .severalRecipients(option: "--apns-id")
    }
  }

  private func tell(_ checked: [CheckedFile], _ context: Context) {
    if options.json.isOn {
      context.output.write(CheckJSON.bytes(checked, errorsOnly: options.quiet.isOn))
    } else {
      let text = CheckText(hasColor: context.output.hasColor, errorsOnly: options.quiet.isOn)
      context.output.write(text.text(of: checked))
    }
  }
}
