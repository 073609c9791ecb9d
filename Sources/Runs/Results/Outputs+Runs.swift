internal import APNS
internal import History
internal import PushModel
package import Reporting

extension Outputs {
  package static let outcome = OutputShape.word(Outcome.allCases.map(\.rawValue))

  /// A push, in the form of `--results`.
  package static let result = [
    OutputField("sequence", .integer, "The push's number in the run, from 1."),
    OutputField("list", .text, "The list of the recipient; '-' is standard input."),
    OutputField("line", .integer, "The recipient's line in the list."),
    OutputField(
      "token", .orNull(.text), "The whole device token, in lowercase; null for a channel."),
    OutputField(
      "apnsID", .text,
      "The apns-id, or the apns-request-id of a push to a channel; the same on every attempt."),
    OutputField("outcome", outcome, "What became of the push."),
    OutputField("status", .orNull(.integer), "The HTTP status of the last answer."),
    OutputField("reason", .orNull(.text), "Why APNs refused it."),
    OutputField(
      "timestamp", .orNull(.integer),
      "When APNs found the token dead, in milliseconds since 1970."),
    OutputField("uniqueID", .orNull(.text), "The apns-unique-id of the sandbox."),
    OutputField("attempts", .integer, "How many requests were made."),
    OutputField(
      "latencyMilliseconds", .orNull(.number), "From the last request to its answer."),
    OutputField(
      "answeredAt", .orNull(.integer), "When the answer came, in milliseconds since 1970."),
    OutputField("skippedFor", .array(.text), "Why it was skipped, if it was.").sometimes,
    OutputField("channel", .orNull(.text), "The broadcast channel; null for a device."),
  ]

  /// The additional columns for a push of a scenario.
  package static let resultStep = [
    OutputField("scenario", .text, "The scenario's name, or its file.").sometimes,
    OutputField("step", .integer, "The step's number among the notifications.").sometimes,
  ]

  package static let deadToken = [
    OutputField("token", .text, "The whole device token."),
    OutputField("reason", .orNull(.text), "Why APNs refused it."),
    OutputField(
      "timestamp", .orNull(.integer),
      "When APNs found the token dead, in milliseconds since 1970."),
    OutputField("list", .text, "The list of the recipient."),
    OutputField("line", .integer, "The recipient's line in the list."),
  ]

  /// Pushes by outcome; other figures follow.
  package static let outcomes = [
    OutputField("accepted", .integer, "Pushes that were answered with 200."),
    OutputField(
      "rejected", .integer, "Pushes refused for a reason that resending does not change."),
    OutputField("skipped", .integer, "Pushes not sent: their row breaks a rule, or they expired."),
    OutputField("deferred", .integer, "Pushes that APNs asked to send later."),
    OutputField("unknown", .integer, "Pushes that were sent and got no answer."),
    OutputField("notAttempted", .integer, "Pushes that the run ended before."),
  ]

  package static let skippedLines = [
    OutputField("badLines", .integer, "Lines that are not a valid recipient."),
    OutputField("duplicates", .integer, "Lines whose token appeared before."),
    OutputField("suppressed", .integer, "Lines whose token is in a --suppress list."),
    OutputField("otherShards", .integer, "Lines left to other parts by --shard."),
  ]

  package static let latency = OutputField(
    "latency",
    .object(
      ["p50", "p95", "p99"].map {
        OutputField($0, .orNull(.number), "Milliseconds that this share of answers stays within.")
      }), "Milliseconds from a push's last request to its answer.")

  static let reasons = OutputField(
    "reasons", .map(.integer), "How often each reason came, the most frequent first.")

  /// The figures of a run.
  package static let summary: [OutputField] =
    [
      OutputField("run", .orNull(.integer), "The run's number in the history."),
      OutputField(
        "environment", .text, "production, sandbox, emulator, inbox, or the server's URL."),
      OutputField("lines", .integer, "Lines read, without blank ones, comments and header rows."),
      OutputField("total", .integer, "Pushes: the sum of the six outcomes."),
    ] + outcomes + skippedLines + [
      OutputField("unread", .orNull(.object(unread)), "What a stopped run did not read."),
      OutputField("pass", .integer, "Which pass of the run this is, from 1."), reasons,
      OutputField("resentInDoubt", .integer, "Pushes resent although the first may have arrived."),
      OutputField("seconds", .number, "From the start to the end of the run."),
      OutputField("pushesPerSecond", .number, "Pushes sent, divided by the seconds."), latency,
      OutputField(
        "connections", .orNull(.integer), "The most connections in use at once; null for none."),
      OutputField("connectionsLimit", .orNull(.word(limits)), "Why there were no more."),
      OutputField("push", .object(result), "The result line, if the total is 1.").sometimes,
      OutputField(
        "cause", .object(cause), "The likeliest cause, of one push that was refused."
      ).sometimes,
      OutputField(
        "asked", .array(.object(asked)), "With --env auto, each environment's answer."
      ).sometimes,
    ]

  /// A worker's part in a run.
  package static let work: [OutputField] =
    summary + [
      OutputField("worker", .text, "What the worker is called."),
      OutputField(
        "left", .orNull(.integer),
        "Pushes of the run that are left for all workers; null if unknown."),
      OutputField(
        "leftDeferred", .orNull(.integer), "Those of them that APNs asked to send later."),
    ]

  /// A stopped run.
  package static let stop = [
    OutputField("run", .integer, "The run's number in the history."),
    OutputField("state", .word(["stopped"]), "What it is now."),
    OutputField("left", .integer, "Pushes that are left."),
    OutputField("leftDeferred", .integer, "Those of them that APNs asked to send later."),
  ]

  /// A run added to the queue.
  package static let enqueuing: [OutputField] =
    [
      OutputField("run", .integer, "The run's number in the history."),
      OutputField(
        "environment", .text, "production, sandbox, emulator, inbox, or the server's URL."),
      OutputField(
        "state", .word([RunState.enqueued, .enqueuing].map(\.rawValue)),
        "enqueuing if the lists were not read to their end."),
      OutputField(
        "enqueued", .integer, "Pushes in the queue, with those that were sent meanwhile."),
      OutputField("lines", .integer, "Lines read, without blank ones, comments and header rows."),
    ] + skippedLines

  private static let limits = ConnectionFigures.Limit.allCases.map(\.rawValue)

  package static let unread = [
    OutputField("list", .orNull(.text), "The list that was being read."),
    OutputField("line", .orNull(.integer), "The last line that was read."),
    OutputField("recipients", .orNull(.integer), "About how many recipients follow."),
  ]

  private static let cause = [
    OutputField("message", .text, "What is likely wrong."),
    OutputField("fix", .text, "What to do."),
  ]

  private static let asked = [
    OutputField("environment", .text, "The environment that was asked."),
    OutputField("status", .orNull(.integer), "The status of its answer."),
    OutputField("reason", .orNull(.text), "The reason of its answer."),
  ]

  /// A step of a scenario, with the summary of its run.
  package static let step: [OutputField] =
    [
      OutputField("scenario", .text, "The scenario's name, or its file."),
      OutputField("file", .text, "The scenario's file."),
      OutputField(
        "step", .orNull(.integer),
        "The step's number among the notifications, from 1; null if the file cannot be used."),
      OutputField("stepName", .orNull(.text), "The step's name."),
      OutputField("passed", .truth, "Whether all expectations were met."),
      OutputField("missed", .array(.object(missed)), "Expectations that were not met.").sometimes,
      OutputField("why", .array(.text), "The same in sentences.").sometimes,
      OutputField("error", .text, "Why the step could not be sent, or what was lost.").sometimes,
      OutputField("problems", .array(.object(problem)), "The broken rules.").sometimes,
      OutputField("notRun", .text, "Why the step was not run.").sometimes,
    ] + summary.map(\.sometimes)

  private static let missed = [
    OutputField("expectation", .text, "The key of the expectation."),
    OutputField("wanted", .anything, "What was expected."),
    OutputField("got", .anything, "What came; of status and reason, how often each did."),
    OutputField("answers", .array(.object(answer)), "What came that was not wanted.").sometimes,
  ]

  private static let answer = [
    OutputField("status", .orNull(.integer), "The HTTP status."),
    OutputField("reason", .orNull(.text), "The reason."),
    OutputField("outcome", .orNull(.text), "Without an answer: the outcome, or badLine."),
    OutputField("count", .integer, "How often it came."),
    OutputField("tokens", .array(.text), "The ends of up to three device tokens."),
  ]

  /// The figures of result files.
  package static let report: [OutputField] =
    [
      OutputField("files", .array(.text), "The files, in order; '-' is standard input."),
      OutputField("lines", .integer, "Lines read, without blank ones and header rows."),
      OutputField("brokenLines", .integer, "Lines that are not a result."),
      OutputField("replaced", .integer, "Lines that a later one with their apns-id replaces."),
      OutputField("total", .integer, "Pushes: the sum of the six outcomes."),
    ] + outcomes + [
      OutputField("acceptance", .orNull(.number), "The share that was accepted, from 0 to 1."),
      reasons,
      OutputField("began", .orNull(.integer), "The first request, in milliseconds since 1970."),
      OutputField("ended", .orNull(.integer), "The last answer, in milliseconds since 1970."),
      OutputField("seconds", .orNull(.number), "From the first request to the last answer."),
      OutputField(
        "pushesPerSecond", .orNull(.number),
        "Answers, divided by the seconds; null if nothing was sent for a minute of them."), latency,
      OutputField("latencies", .array(.object(bar)), "How many answers took how long."),
    ]

  private static let bar = [
    OutputField("from", .integer, "At least so many milliseconds."),
    OutputField("below", .orNull(.integer), "Less than so many; null for any."),
    OutputField("count", .integer, "The answers."),
  ]

  package static let dryRun = [
    OutputField("method", .word(["POST", "GET", "DELETE"]), "The HTTP method."),
    OutputField("url", .text, "The URL, with the token shortened unless --show-tokens is given."),
    OutputField("headers", .map(.text), "The header fields, without the provider token."),
    OutputField("certificate", .text, "The common name of the client certificate.").sometimes,
    OutputField("payload", .anything, "The payload as it would be sent; null for none."),
  ]
}
