internal import CommandLineKit
internal import HTTP2
internal import PushModel
internal import SQLiteHistory

/// `fanfare history resend`
struct HistoryResend: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "resend", "Send pushes again: a new run, with new apns-ids.",
    discussion: """
      Sends what was not accepted of a run: rejected, deferred, unknown and not attempted pushes; \
      'unknown' only with --only if the run was at most once. Rejected pushes whose device token \
      APNs does not know (any more) are left out unless --only rejected asks for them, and so are \
      those that an earlier resend of the run got accepted, unless --include-resent is given. A \
      push given by its apns-id is always sent.

      Headers, payload and server are the run's. So are --rate, --connections and --at-most-once \
      unless they are given. Keys and certificates are not in the history: they are read from \
      where the run found them, or given by options and variables. Payloads of a template are \
      made again from its list, unless the run kept them.

      The run that is resent stays as it was. 'fanfare resume' continues either run.
      """,
    examples: [
      Example("fanfare history resend 12", "Send what was not accepted of run 12."),
      Example(
        "fanfare history resend 12 --only rejected --env sandbox",
        "Send what the wrong environment refused."),
      Example(
        "fanfare history resend 6b1f0c52-93a7-4e1d-8d2c-000000000001 --dry-run",
        "Show the request that would send a push again."),
    ])

  var place: HistoryPlace?
  var only: [ResendOutcome] = []
  var includesResent = false
  var expiration: String?
  var options = Settings()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Resend",
        [
          .arguments(
            "run-or-id", \.place, help: "The run, or the push, to send again.", isRequired: true),
          .option("only", \.only, value: "OUTCOME", help: "Pushes of the run with this outcome."),
          .flag(
            "include-resent", \.includesResent,
            help: "Include what an earlier resend of the run got accepted."),
          .option(
            "expiration", \.expiration, value: "TIME",
            help: "How long APNs keeps it, instead of the run's: 0, 1h, epoch or ISO 8601."),
        ])
    ]
    + [
      SettingOptions.place, SettingOptions.credentials, SettingOptions.runningWithoutRules,
      SettingOptions.telling,
    ].map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> ExitCode {
    if case .push(let id) = place, let option = choosing.first {
      throw Failure.usage(.conflict(option, "\(id)"))
    }
    guard let place else { throw Failure.nothingWrittenDown }
    return try Resend(
      place: place, only: only.map(\.outcome), includesResent: includesResent,
      expiration: expiration, command: text, options: options, context: context
    ).run()
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
