internal import APNS
internal import CommandLineKit
internal import PushModel
internal import Reporting
internal import Sending
internal import Settings

/// `fanfare history resend`
struct HistoryResendCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "resend", "Send pushes again, in a new run with new apns-ids.",
    discussion: """
      Given a run, sends its pushes that were not accepted: rejected, deferred, unknown and not \
      attempted ones; unknown ones of a run with --at-most-once only with --only unknown. Rejected \
      pushes whose device token APNs does not know, or no longer knows, are left out unless --only \
      rejected is given, and pushes that an earlier resend of the run got accepted unless \
      --include-resent is. --reason chooses by the reason of the last answer, dead device tokens \
      included. Given an apns-id, sends that push whatever its outcome.

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
        "fanfare history resend 12 --reason BadDeviceToken --limit 100",
        "Pushes refused for one reason, at most a hundred of them."),
      Example(
        "fanfare history resend 6b1f0c52-93a7-4e1d-8d2c-000000000001 --dry-run",
        "Show the request that would be sent."),
    ])

  var only: [ResendOutcome] = []
  var resend = Resend()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Resend",
        [
          .arguments(
            "run-or-id", \.resend.place, help: "The run or push to send again.", isRequired: true,
            completion: .runs),
          .option(
            "only", \.only, value: "OUTCOME", help: "Only pushes of the run with this outcome."),
          .option(
            "reason", \.resend.reasons, value: "REASON",
            help: "Only pushes with this reason, dead device tokens included.",
            completion: .words(Reason.table.map(\.reason.rawValue))),
          .option("limit", of: PushLimit.self, value: "N", help: "Send at most N pushes.") {
            command, limit, _ in command.resend.limit = limit.count
          },
          .flag(
            "include-resent", \.resend.includesResent,
            help: "Include pushes that an earlier resend of the run got accepted."),
          .option(
            "expiration", \.resend.expiration, value: "TIME",
            help: "New expiration, in place of the run's: 0, 1h, epoch seconds or ISO 8601."),
        ])
    ]
    + [
      SettingOptions.place, SettingOptions.credentials, SettingOptions.runningWithoutRules,
      SettingOptions.telling,
    ].map { $0.inside(\Self.resend.options) }

  func run(_ context: Context) throws -> Report {
    var resend = resend
    resend.only = only.map(\.outcome)
    return try resend.run(context.telling(resend.options))
  }
}

/// The maximum number of pushes to send again.
struct PushLimit: ArgumentValue {
  let count: Int

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), count > 0 else { throw .expected("a number of pushes, 1 or more") }
    self.count = count
  }

  var argumentText: String { String(count) }
}

/// An outcome after which a push may be sent again.
struct ResendOutcome: ArgumentValue, Equatable {
  static let choices = [Outcome.rejected, .deferred, .unknown, .notAttempted, .skipped].map(
    \.rawValue)

  let outcome: Outcome

  init(argument word: String) throws(BadValue) {
    guard let outcome = Outcome(rawValue: word), outcome != .accepted else { throw .notAChoice }
    self.outcome = outcome
  }

  var argumentText: String { outcome.rawValue }
}
