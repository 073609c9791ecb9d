internal import APNS
internal import CommandLineKit
internal import HistoryCommands
internal import PushModel
internal import Reporting
internal import Runs
internal import Settings

/// `fanfare history export`
struct HistoryExportCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "export", "Export pushes as JSON, a table, HAR, curl commands or an HTML page.",
    discussion: """
      Exports the pushes of runs, single pushes, or without an argument all pushes that match, \
      oldest first. Files can be read by their owner only, because they contain whole device \
      tokens; on the page tokens are shortened. Provider tokens are never exported. With har and \
      curl the exit code is 1 if payloads are lost: their lists have changed and the run kept none.
      """,
    examples: [
      Example(
        "fanfare history export --since 7d --output week.jsonl", "The last week as JSON Lines."),
      Example(
        "fanfare history export 12 --output run.csv",
        "Run 12 for a spreadsheet, with formulas disarmed."),
      Example(
        "fanfare history export 6b1f0c52-93a7-4e1d-8d2c-000000000001 --format curl",
        "A curl command that sends this push again."),
      Example("fanfare history export --html report.html", "A single page with charts and pushes."),
    ])

  var filter = HistoryFilterOptions()
  var export = HistoryExport()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Export",
        [
          .arguments(
            "run-or-id", \.export.places, help: "Export only these runs and pushes.",
            completion: .runs),
          .option(
            "format", \.export.files.format,
            help: "Format; defaults to the file's: \(Self.endings)."),
          .option(
            "output", \.export.files.output, short: "o", value: "FILE",
            help: "Write to this file; '-' is standard output.",
            completion: .file),
          .flag("exact", \.export.files.isExact, help: "In a table, do not disarm formulas."),
          .option(
            "html", \.export.files.html, value: "FILE",
            help: "Write an HTML page with charts and a table of pushes.",
            completion: .file),
          .flag(
            "show-tokens", \.export.files.showsTokens, help: "Show whole device tokens on the page."
          ),
        ])
    ] + [
      HistoryFilterOptions.group.inside(\Self.filter),
      SettingOptions.historyPlace.inside(\Self.export.settings),
    ]

  private static var endings: String {
    ExportFormat.all.flatMap(\.endings).map { "." + $0 }.joined(separator: ", ")
  }

  func run(_ context: Context) throws -> Report {
    var export = export
    export.filter = try filter.filter(in: export.settings, context)
    return try export.run(context)
  }
}

/// `fanfare history prune`
struct HistoryPruneCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "prune", "Delete old runs and free their disk space.",
    discussion: """
      Deletes runs that match --older-than or --keep. A run that is being sent is never deleted, \
      and one that 'fanfare resume' could continue only with --unfinished. Other processes can send \
      meanwhile; then the space is kept for later runs, and the next prune frees it. PostgreSQL \
      always keeps it for later runs.
      """,
    examples: [
      Example(
        "fanfare history prune --older-than 30d", "Delete runs that ended at least 30 days ago."),
      Example(
        "fanfare history prune --keep 100 --dry-run", "See what keeping only 100 runs would delete."
      ),
    ])

  var olderThan: TimeArgument?
  var prune = HistoryPrune()

  static let groups: [OptionGroup<Self>] =
    [
      OptionGroup<Self>(
        "Prune",
        [
          .option(
            "older-than", \.olderThan, value: "TIME",
            help: "Delete runs that ended before then: '30d' ago, a date, or an ISO 8601 time."),
          .option("keep", \.prune.keep, value: "N", help: "Delete all but the newest N runs."),
          .flag(
            "unfinished", \.prune.takesUnfinished,
            help: "Also delete runs that could still be resumed."),
          .flag(
            "dry-run", \.prune.isDryRun, help: "Print what would be deleted, and delete nothing."),
          .flag("json", \.prune.isJSON, help: "Print one JSON object."),
        ])
    ] + [SettingOptions.historyPlace.inside(\Self.prune.settings)]

  func run(_ context: Context) throws -> Report {
    let before = olderThan.map {
      ($0.milliseconds("--older-than", context), $0.argumentText)
    }
    return try prune.run(before: before, context)
  }
}

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
    let chosen = resend
    return try chosen.options.report { () throws(Failure) in
      try chosen.run(context.telling(chosen.options))
    }
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
