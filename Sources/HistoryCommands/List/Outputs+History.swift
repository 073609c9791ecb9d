internal import History
internal import PushModel
package import Reporting
internal import Runs

// The output of the 'history' commands.
extension Outputs {
  /// A run: a line of `history list`.
  package static let run: [OutputField] =
    [
      OutputField("run", .integer, "The run's number."),
      OutputField("began", .integer, "When it began, in milliseconds since 1970."),
      OutputField("ended", .orNull(.integer), "When it ended; null while it has not."),
      OutputField("state", .orNull(.word(states)), "How far it has come."),
      OutputField(
        "stopped", .integer, "When it was stopped in the queue, in milliseconds since 1970."
      ).sometimes,
      OutputField("stopCause", .orNull(.text), "Why it was stopped.").sometimes,
      OutputField("passes", .integer, "1, plus one for each resume."),
      OutputField("kind", .word(["send", "scenario", "resend"]), "What made it."),
      OutputField("scenario", .orNull(.text), "The scenario's name."),
      OutputField("step", .orNull(.integer), "The step's number."),
      OutputField(
        "environment", .text, "production, sandbox, emulator, inbox, or the server's URL."),
      OutputField("server", .orNull(.text), "The server's URL; null for the emulator inside."),
      OutputField("pushType", .orNull(.text), "The push type."),
      OutputField("topic", .orNull(.text), "The topic; of a push to a channel, the bundle ID."),
      OutputField("channel", .orNull(.text), "The broadcast channel; null for devices."),
      OutputField("version", .text, "The version of fanfare that sent it."),
      OutputField("lines", .integer, "Lines read."),
      OutputField("total", .integer, "Pushes: the sum of the six outcomes."),
    ] + outcomes + skippedLines

  private static let states = RunState.allCases.map(\.rawValue)

  /// A push of the history: a line of `history list RUN` and of an export.
  package static let push = [OutputField("run", .integer, "The run's number.")] + result

  /// A run and its notification: `history show RUN`.
  package static let shownRun: [OutputField] =
    run + [
      OutputField("unread", .orNull(.object(unread)), "What of its lists was not read."),
      OutputField("resends", .orNull(.integer), "The run whose pushes it sends again."),
      OutputField("resentBy", .array(.integer), "The runs that sent its pushes again."),
      OutputField("isTemplate", .truth, "Whether rows filled the payload's placeholders."),
      OutputField("headers", .map(.text), "The header fields, without the provider token."),
      OutputField("payload", .anything, "The payload, or the template."),
      OutputField("summary", .orNull(.object(keptSummary)), "The summary of its last pass."),
      OutputField("queue", .object(queue), "What workers do, of a run that was enqueued.")
        .sometimes,
    ]

  private static let queue = [
    OutputField("left", .integer, "Pushes without a last result."),
    OutputField("free", .integer, "Those of them that any worker may take now."),
    OutputField("claimed", .integer, "Those that workers have taken."),
    OutputField("deferred", .integer, "Those that wait: APNs asked to send some of them later."),
    OutputField(
      "nextDue", .orNull(.integer), "When the first of these is due, in milliseconds since 1970."),
    OutputField("underway", .integer, "Pushes that workers may have sent, still without a result."),
    OutputField(
      "inDoubt", .integer, "Pushes that lost workers may have sent, and that have no result."),
    OutputField(
      "workers", .array(.object(worker)), "The workers that have sent some of it, oldest first."),
    OutputField("sentTwice", .integer, "Pushes that two workers sent."),
    OutputField("otherResults", .array(.object(otherResult)), "Their results that do not count."),
    OutputField(
      "resentInDoubt",
      .array(
        .object([
          OutputField("first", .integer, "The first push of a range, by its number in the run."),
          OutputField("last", .integer, "The last one."),
        ])), "Pushes that were sent again because an earlier attempt was in doubt."),
  ]

  private static let worker: [OutputField] =
    [
      OutputField("worker", .text, "The worker's name."),
      OutputField("version", .text, "The version of fanfare that it runs."),
      OutputField("state", .word(WorkerEntry.State.allCases.map(\.rawValue)), "How it is."),
      OutputField("began", .integer, "When it began, in milliseconds since 1970."),
      OutputField("ended", .orNull(.integer), "When it ended, or was found to be lost."),
      OutputField("lastHeard", .integer, "When it was last heard of."),
      OutputField("total", .integer, "Results that it brought: the sum of the six outcomes."),
    ] + outcomes

  private static let otherResult = [
    OutputField("sequence", .integer, "The push's number in the run, from 1."),
    OutputField("apnsID", .text, "The push's apns-id."),
    OutputField(
      "worker", .orNull(.text),
      "The worker that brought it; null if it counted until a better came."),
    OutputField("outcome", outcome, "What became of the push there."),
    OutputField("status", .orNull(.integer), "The HTTP status of the answer."),
    OutputField("reason", .orNull(.text), "Why APNs refused it."),
    OutputField("attempts", .integer, "How many requests were made."),
    OutputField("at", .integer, "When it came, in milliseconds since 1970."),
  ]

  /// Missing from summaries written by version 0.1.
  private static let keptSummary = summary.map { field in
    ["unread", "pass", "connections", "connectionsLimit"].contains(field.name)
      ? field.sometimes : field
  }

  /// A push with its request: `history show APNS-ID`.
  package static let shownPush: [OutputField] =
    push + [
      OutputField("request", .orNull(.object(request)), "The request; null if there was none."),
      OutputField(
        "otherResults", .array(.object(otherResult)),
        "Its results that do not count: it was sent twice."
      ).sometimes,
    ]

  private static let request = [
    OutputField("method", .word(["POST"]), "The HTTP method."),
    OutputField("url", .text, "The URL, with the whole device token."),
    OutputField("headers", .map(.text), "The header fields, without the provider token."),
    OutputField("payload", .anything, "The payload as it was sent.").sometimes,
    OutputField("template", .anything, "The template, if the row cannot be read again.").sometimes,
  ]

  /// A group of pushes, or the total: a line of `history stats`.
  package static let statistics: [OutputField] =
    [
      OutputField(
        "by", .word(PushGrouping.allCases.map(\.rawValue) + ["all"]), "What the group shares."),
      OutputField("run", .integer, "The run's number.").sometimes,
      OutputField("began", .integer, "When it began, in milliseconds since 1970.").sometimes,
      OutputField("state", .orNull(.word(states)), "How far the run has come.").sometimes,
      OutputField(
        "unread", .orNull(.object(unread)), "What of the run's lists was not read."
      ).sometimes,
      OutputField("day", .text, "The day in UTC.").sometimes,
      OutputField("reason", .orNull(.text), "The reason.").sometimes,
      OutputField("topic", .orNull(.text), "The topic.").sometimes,
      OutputField("environment", .orNull(.text), "The environment.").sometimes,
      OutputField("total", .integer, "Pushes: the sum of the six outcomes."),
    ] + outcomes + [
      OutputField("acceptance", .orNull(.number), "The share that was accepted, from 0 to 1."),
      latency,
    ]

  /// An event: a line of `history tail`.
  package static let event = OutputShape.either([
    .object([OutputField("event", .word(["began", "ended"]), "What happened to the run.")] + run),
    .object([OutputField("event", .word(["push"]), "A push got its result.")] + push),
    .object(
      [
        OutputField("event", .word(["worker"]), "A worker began, ended or was lost."),
        OutputField("run", .integer, "The run that it works on."),
      ] + worker),
  ])

  package static let pruning = [
    OutputField("dryRun", .truth, "Whether nothing was removed."),
    OutputField("runs", .integer, "Runs that were removed."),
    OutputField("pushes", .integer, "Pushes that were removed."),
    OutputField("bytes", .orNull(.integer), "By how much the history shrank."),
    OutputField("keptUnfinished", .integer, "Runs kept because they can be resumed."),
    OutputField("keptBeingSent", .integer, "Runs kept because they are being sent."),
    OutputField(
      "space", .orNull(.word(["givenBack", "inUse", "noRoom"])), "What became of the space."),
  ]

  package static let difference = [
    OutputField("old", .object(side), "The first of the two."),
    OutputField("new", .object(side), "The second of the two."),
    OutputField("same", .truth, "Whether nothing that is compared differs."),
    OutputField("payloadsCompared", .truth, "Whether both payloads could be compared."),
    OutputField("differences", .array(.object(line)), "What differs."),
  ]

  private static let side = [
    OutputField("run", .integer, "The run."),
    OutputField("sequence", .orNull(.integer), "The push's number in it; null for a run."),
    OutputField("apnsID", .orNull(.text), "The push's apns-id; null for a run."),
  ]

  private static let line = [
    OutputField(
      "part", .word(["request", "payload", "answer", "latency", "counts"]), "What it is part of."),
    OutputField("name", .text, "The header field, key or figure."),
    OutputField("old", .anything, "The value of the first side, if it has one.").sometimes,
    OutputField("new", .anything, "The value of the second side, if it has one.").sometimes,
  ]
}
