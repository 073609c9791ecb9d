internal import CommandLineKit
internal import HTTP2
internal import PushModel
internal import SQLiteHistory

/// `fanfare history resend`
struct HistoryResend: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "resend", "Send pushes again: a new run, with new apns-ids.",
    discussion: """
      Of a run it sends what was not accepted: rejected, deferred, unknown and not attempted \
      pushes; 'unknown' only with --only when the run was at most once. Rejected pushes whose \
      device token APNs does not know (any more) are left out, unless --only rejected asks for \
      them; and so are those that an earlier resend of the run got accepted, unless \
      --include-resent does. A push that is named by its apns-id is sent whatever became of it.

      Headers, payload and server are the run's. So are --rate, --connections and --at-most-once \
      unless they are given. Keys and certificates are not in the history: they are taken from \
      where the run had them, or from options and variables. What a row made of a template is \
      made again of its list, unless the run kept payloads.

      The run that is resent stays as it was. 'fanfare resume' goes on with either.
      """,
    examples: [
      Example("fanfare history resend 12", "What was not accepted of run 12."),
      Example(
        "fanfare history resend 12 --only rejected --env sandbox",
        "What the wrong environment refused."),
      Example(
        "fanfare history resend 6b1f0c52-93a7-4e1d-8d2c-000000000001 --dry-run",
        "Show the request that would send a push again."),
    ])

  var place: HistoryPlace?
  var only: [ResendOutcome] = []
  var includesResent = false
  var expiration: String?
  var server = ServerOptions()
  var credentials = CredentialOptions()
  var running = RunningOptions()
  var telling = TellingOptions()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Resend",
        [
          .arguments(
            "run-or-id", \.place, help: "The run, or the push, to send again.", isRequired: true),
          .option("only", \.only, value: "OUTCOME", help: "Pushes of the run that ended so."),
          .flag(
            "include-resent", \.includesResent,
            help: "Send also what an earlier resend of the run got accepted."),
          .option(
            "expiration", \.expiration, value: "TIME",
            help: "How long APNs keeps it, in place of the run's: 0, 1h, epoch seconds or ISO 8601."
          ),
        ])
    ] + [
      ServerOptions.group.inside(\Self.server), CredentialOptions.group.inside(\Self.credentials),
      RunningOptions.groupWithoutRules.inside(\Self.running),
      TellingOptions.group.inside(\Self.telling),
    ]

  func run(_ context: Context) throws -> ExitCode {
    let context = context.naming(server.profile)
    if case .push(let id) = place, let option = choosing.first {
      throw Failure.usage(.conflict(option, "\(id)"))
    }
    guard let place, let path = try telling.historyPath(context) else {
      throw Failure.nothingWrittenDown
    }
    let history: HistoryReader
    do throws(HistoryError) {
      history = try HistoryReader(path)
    } catch {
      throw Failure.history(error)
    }
    return try Resending(command: self, place: place, history: history, context: context).run()
  }

  /// A command that chooses the same pushes.
  var text: String {
    (["fanfare history resend", place?.argumentText ?? ""] + choosing).joined(separator: " ")
  }

  /// The options that choose among the pushes of a run.
  private var choosing: [String] {
    only.map { "--only \($0.argumentText)" } + (includesResent ? ["--include-resent"] : [])
  }
}

/// An outcome after which a push can be wanted to be sent again.
enum ResendOutcome: String, ArgumentValue, CaseIterable {
  case rejected
  case deferred
  case unknown
  case notAttempted
  case skipped

  var outcome: Outcome {
    switch self {
    case .rejected: .rejected
    case .deferred: .deferred
    case .unknown: .unknown
    case .notAttempted: .notAttempted
    case .skipped: .skipped
    }
  }
}
