internal import CommandLineKit
internal import HTTP2
internal import PushModel

/// `fanfare resume`
struct Resume: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "resume", "Finish an interrupted or deferred run.",
    discussion: """
      Takes up the newest run that is not finished, or the one that is named: pushes that were \
      never sent, that ended without an answer, and deferred ones that are due. What is sent, to \
      whom and how comes from the history; the lists have to be what they were, and those from \
      standard input and pipes were copied as they were read. Keys and \
      certificates are not in the history: they are taken from where the run had them, or from \
      options and variables.

      Pushes that were claimed and have no answer may arrive twice; they are told by their \
      numbers, and keep their apns-id. What 'fanfare history resend' got accepted meanwhile is not \
      sent again without --force: the run is refused, or passed over when nothing else is left and \
      no run is named.
      """,
    examples: [
      Example("fanfare resume", "Finish what was begun last."),
      Example("fanfare resume 12 --now", "Run 12, and its deferred pushes before they are due."),
    ])

  var run: [RunArgument] = []
  var now = false
  var force = false
  var server = ServerOptions()
  var credentials = CredentialOptions()
  var telling = TellingOptions()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Resume",
        [
          .arguments("run", \.run, help: "The number of the run; without it the newest."),
          .flag("now", \.now, help: "Send deferred pushes before they are due."),
          .flag(
            "force", \.force,
            help: "Go on although a list has changed, or another run has sent what is left."),
        ])
    ] + [
      ServerOptions.group.inside(\Self.server), CredentialOptions.group.inside(\Self.credentials),
      TellingOptions.group.inside(\Self.telling),
    ]

  func run(_ context: Context) throws -> ExitCode {
    let context = context.naming(server.profile)
    if run.count > 1 { throw Failure.usage(.unexpectedArgument(run[1].argumentText)) }
    guard let path = try telling.historyPath(context) else { throw Failure.nothingWrittenDown }
    var search = UnfinishedRun(self, in: path, context)
    guard let (ledger, again) = try search.find() else { return .success }
    return try Resuming(
      command: self, ledger: ledger, again: again, history: path, context: context
    ).run()
  }
}

/// The number of a run in the history.
struct RunArgument: ArgumentValue, Equatable {
  let number: RunNumber

  init(argument word: String) throws(BadValue) {
    guard let number = Int64(word).flatMap({ RunNumber(rawValue: $0) }) else {
      throw .expected("the number of a run, as summaries tell it")
    }
    self.number = number
  }

  var argumentText: String { "\(number)" }
}
