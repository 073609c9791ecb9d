internal import CommandLineKit
internal import PushCore

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
      numbers, and keep their apns-id.
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
          .flag("force", \.force, help: "Go on although a list has changed."),
        ])
    ] + [
      ServerOptions.group.inside(\Self.server), CredentialOptions.group.inside(\Self.credentials),
      TellingOptions.group.inside(\Self.telling),
    ]

  func run(_ context: Context) throws -> ExitCode {
    let context = context.naming(server.profile)
    if run.count > 1 { throw Failure.usage(.unexpectedArgument(run[1].argumentText)) }
    guard let path = try telling.historyPath(context) else { throw Failure.nothingWrittenDown }
    guard let ledger = try ledger(at: path, context) else { return .success }
    return try Resuming(command: self, ledger: ledger, history: path, context: context).run()
  }

  /// The run to go on with; nil when nothing is left to do, which is said.
  private func ledger(at path: String, _ context: Context) throws(Failure) -> Ledger? {
    do throws(HistoryError) {
      return try Ledger.resume(
        run.first?.number, at: path, now: context.clock.epochMilliseconds(), sendsEarly: now)
    } catch {
      guard error.isNothingToDo || isNothingWrittenDown(error) else { throw .history(error) }
      if !telling.quiet { context.errors.write(error.sentence + "\n") }
      return nil
    }
  }

  /// Whether nothing was ever sent from here: then nothing is left, unless somebody names it.
  private func isNothingWrittenDown(_ error: HistoryError) -> Bool {
    guard run.isEmpty, telling.history == nil else { return false }
    switch error {
    case .missing, .empty: return true
    default: return false
    }
  }
}

extension HistoryError {
  /// Whether all that was asked for is done already.
  fileprivate var isNothingToDo: Bool {
    switch self {
    case .nothingUnfinished, .nothingToResume: true
    default: false
    }
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
