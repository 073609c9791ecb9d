internal import CommandLineKit
internal import HTTP2
internal import Projects
internal import PushModel

/// `fanfare history resend`
struct HistoryResendCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "resend", "Send pushes again, in a new run with new apns-ids.",
    discussion: """
      Given a run, sends its pushes that were not accepted: rejected, deferred, unknown and not \
      attempted ones; unknown ones of a run with --at-most-once only with --only unknown. Rejected \
      pushes whose device token APNs does not know, or no longer knows, are left out unless --only \
      rejected is given, and pushes that an earlier resend of the run got accepted unless \
      --include-resent is. Given an apns-id, sends that push whatever its outcome.

      Headers, payload and server are those of the run. So are --rate, --connections and \
      --at-most-once unless given. The history contains no keys or certificates: they come from \
      where the run had them, or from options and variables. A payload that was filled from a row \
      is rebuilt from its list, unless the run kept payloads.

      The original run stays unchanged. 'fanfare resume' continues either run.
      """,
    examples: [
      Example("fanfare history resend 12", "Pushes of run 12 that were not accepted."),
      Example(
        "fanfare history resend 12 --only rejected --env sandbox",
        "Pushes that the wrong environment rejected."),
      Example(
        "fanfare history resend 6b1f0c52-93a7-4e1d-8d2c-000000000001 --dry-run",
        "Show the request that would be sent."),
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
            "run-or-id", \.place, help: "The run or push to send again.", isRequired: true),
          .option(
            "only", \.only, value: "OUTCOME", help: "Only pushes of the run with this outcome."),
          .flag(
            "include-resent", \.includesResent,
            help: "Include pushes that an earlier resend of the run got accepted."),
          .option(
            "expiration", \.expiration, value: "TIME",
            help: "New expiration, in place of the run's: 0, 1h, epoch seconds or ISO 8601."),
        ])
    ]
    + [
      SettingOptions.place, SettingOptions.credentials, SettingOptions.runningWithoutRules,
      SettingOptions.telling,
    ].map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> ExitCode {
    if case .push(let id) = place, let option = choosing.first {
      throw Failure.conflict(option, "\(id)")
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
