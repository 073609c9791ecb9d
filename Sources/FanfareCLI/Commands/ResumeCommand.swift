internal import CommandLineKit
internal import Reporting
internal import Runs
internal import Settings

/// `fanfare resume`
struct ResumeCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "resume", "Finish an interrupted or deferred run.",
    discussion: """
      Continues the newest unfinished run that was begun in this project, or the one given: \
      pushes that were never sent, that ended without an answer, and deferred ones that are due. \
      What is sent, to whom and how comes from the history. The lists must not have changed; \
      standard input and pipes were copied as they were read. Keys and certificates are not in \
      the history: they are read from where the run found them, or given by options and \
      variables. It says what is left before it sends, and asks on a terminal if the run began \
      more than a day ago or goes to production; --yes does not ask. Without a terminal, a run \
      for production needs its number or --yes.

      Give the files of --results and --dead-tokens again: the results are added to them, as the \
      command does that a stopped run prints. For a run with nothing left, the results that the \
      files lack are added.

      Pushes that were claimed and have no answer may arrive twice; they are listed by number and \
      keep their apns-id. What 'fanfare history resend' got accepted meanwhile is not sent again \
      without --force: a run given by number is refused, and otherwise one with nothing else left \
      is passed over.

      A run in the queue has to be given by number. This then joins its workers, as \
      'fanfare work RUN' does, or reads its lists into the queue where that was cut off.
      """,
    examples: [
      Example("fanfare resume", "Finish the newest run."),
      Example(
        "fanfare resume 12 --now", "Finish run 12, sending deferred pushes before they are due."),
    ])

  var run: [RunArgument] = []
  var now = false
  var force = false
  var options = Settings()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Resume",
        [
          .arguments(
            "run", \.run,
            help: "The number of the run, or 'last'; defaults to this project's newest unfinished.",
            completion: .runs),
          .flag("now", \.now, help: "Send deferred pushes before they are due."),
          .flag(
            "force", \.force,
            help: "Continue although a list changed, or another run sent what is left."),
        ])
    ]
    + [
      SettingOptions.place, SettingOptions.credentials,
      OptionGroup("Running", ["dry-run", "plan", "rate", "max-time", "yes"]),
      SettingOptions.telling,
    ].map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> Report {
    if run.count > 1 { throw Failure.unexpectedArgument(run[1].argumentText) }
    let context = context.telling(options)
    let resume = Resume(
      number: try run.first?.number(in: options, context), isNamed: run.first?.number != nil,
      sendsEarly: now, force: force, options: options, context: context)
    return try options.report { () throws(Failure) in try resume.run() }
  }
}
