internal import APNS
internal import Diagnosis
internal import Reporting
internal import Runs

// The output of commands about files, settings, facts and connections.
extension Outputs {
  static let check = [
    OutputField("files", .array(.object(checkedFile)), "What was checked, in order."),
    OutputField("errors", .integer, "How many errors there are."),
    OutputField("warnings", .integer, "How many warnings there are."),
  ]

  private static let checkedFile: [OutputField] =
    [
      OutputField("file", .orNull(.text), "The file as it was given; null for options."),
      OutputField(
        "kind", .orNull(.word(FileKind.allCases.map(\.rawValue))), "What it contains."),
      OutputField("type", .orNull(.text), "The push type, except of lists.").sometimes,
      OutputField("bytes", .orNull(.integer), "The payload's length as sent.").sometimes,
      OutputField("variables", .array(.text), "Variables that recipients must have.").sometimes,
      OutputField("lines", .integer, "Lines read, of lists only.").sometimes,
      OutputField("tokens", .integer, "Device tokens, of lists only.").sometimes,
      OutputField("badRows", .integer, "Rows that break a rule once filled in.").sometimes,
    ] + skippedLines.map(\.sometimes) + [
      OutputField("problems", .array(.object(problem)), "The file's problems.")
    ]

  static let topic = [
    OutputField("kind", .word(ExplainedTopic.Kind.allCases.map(\.rawValue)), "What it is."),
    OutputField("name", .text, "Its name."),
    OutputField("summary", .text, "What it is for, in a sentence."),
    OutputField("explanation", .text, "More about it.").sometimes,
    OutputField("format", .text, "How a header's value is written.").sometimes,
    OutputField("topic", .text, "The topic of a push type.").sometimes,
    OutputField("priority", .text, "The priorities of a push type.").sometimes,
    OutputField("payload", .text, "The limit of a push type's payload.").sometimes,
    OutputField("signsIn", .text, "How a push type authenticates.").sometimes,
    OutputField("platforms", .text, "Where a push type exists.").sometimes,
    OutputField("type", .text, "The type of a key's value.").sometimes,
    OutputField("host", .text, "The host of an environment.").sometimes,
    OutputField("option", .text, "The option that chooses an environment or a port.").sometimes,
    OutputField("fix", .text, "What to do.").sometimes,
    OutputField("status", .text, "The status that a reason comes with.").sometimes,
    OutputField("causes", .array(.object(causes)), "The causes, likeliest first.").sometimes,
    OutputField("reasons", .text, "The reasons that come with a status.").sometimes,
    OutputField("severity", .text, "Whether a broken rule is an error.").sometimes,
    OutputField("apnsSays", .text, "What APNs answers to a broken rule.").sometimes,
    OutputField("source", .text, "Where this is documented.").sometimes,
  ]

  private static let causes = [
    OutputField("text", .text, "The cause."), OutputField("fix", .text, "What to do."),
  ]

  static let diagnosis = [
    OutputField("environment", .text, "Where the doctor looked."),
    OutputField("server", .text, "The server's URL."),
    OutputField("verdict", .word(["ok", "warning", "broken"]), "The worst verdict of a step."),
    OutputField("steps", .array(.object(diagnosisStep)), "The twelve steps, in order."),
  ]

  private static let diagnosisStep = step(
    DiagnosisStep.allCases.map(\.rawValue), ["ok", "warning", "broken", "skipped", "notReached"])

  private static func step(_ names: [String], _ verdicts: [String]) -> [OutputField] {
    [
      OutputField("step", .word(names), "The step."),
      OutputField("verdict", .word(verdicts), "How it went."),
      OutputField("text", .orNull(.text), "What was found, for people."),
      OutputField("evidence", .orNull(.map(.anything)), "What was found."),
      OutputField("fix", .orNull(.text), "What to do, for people."),
    ]
  }

  static let selfTest = [
    OutputField("version", .text, "The version of fanfare."),
    OutputField("system", .text, "The system, its release, and the processor."),
    OutputField("verdict", .word(["ok", "warning", "broken"]), "The worst verdict of a step."),
    OutputField(
      "steps",
      .array(
        .object(
          step(
            SelfTestStep.allCases.map(\.rawValue), ["ok", "warning", "broken", "notReached"]))),
      "The steps, in order."),
  ]

  static let settings = [
    OutputField("settings", .map(.object(setting)), "The settings by name."),
    OutputField("files", .array(.object(settingsFile)), "The files that were looked for."),
  ]

  private static let setting = [
    OutputField("value", .orNull(.text), "The value; null if nothing sets it."),
    OutputField("origin", .orNull(.text), "Where it comes from; null for a default."),
  ]

  private static let settingsFile = [
    OutputField("path", .text, "The file."), OutputField("isThere", .truth, "Whether it exists."),
  ]

  /// The line that `fanfare emulator` prints once it listens.
  static let emulator = [
    OutputField("url", .text, "Its URL."), OutputField("ca", .text, "The certificate to trust."),
    OutputField("pid", .integer, "Its process ID."),
    OutputField("manage", .text, "The URL of its second port.").sometimes,
    OutputField("inbox", .text, "The URL of the inbox, with its key.").sometimes,
  ]

  static let journal = [
    OutputField("id", .integer, "Its number among all requests, from 1."),
    OutputField("time", .text, "When it arrived, in UTC, by the system's clock."),
    OutputField("connection", .integer, "The connection's number, from 1."),
    OutputField("stream", .integer, "The HTTP/2 stream."),
    OutputField("method", .text, "The method.").sometimes,
    OutputField("path", .text, "The path.").sometimes,
    OutputField("request", .word(["device", "broadcast", "channel"]), "What it is about."),
    OutputField("token", .orNull(.text), "The device token as it was in the path."),
    OutputField("channel", .orNull(.text), "The channel that it names or created."),
    OutputField("bundleID", .text, "The app whose channels it is about.").sometimes,
    OutputField("apnsID", .orNull(.text), "The apns-id of the answer."),
    OutputField(
      "requestID", .orNull(.text), "The apns-request-id of the answer, if about channels."),
    OutputField(
      "headers", .map(.either([.text, .array(.text)])),
      "Every apns- header, an array if it is repeated; what authorization says without its token."),
    OutputField("payload", .anything, "The payload, if it is JSON.").sometimes,
    OutputField("payloadText", .text, "The payload, if it is other text.").sometimes,
    OutputField("payloadHex", .text, "The payload, if it is no text.").sometimes,
    OutputField("payloadSize", .integer, "The bytes of the payload."),
    OutputField("status", .orNull(.integer), "The HTTP status."),
    OutputField("reason", .orNull(.text), "The reason."),
    OutputField("timestamp", .integer, "The timestamp of a 410, in milliseconds.").sometimes,
    OutputField("uniqueID", .text, "The apns-unique-id of the answer.").sometimes,
    OutputField("processed", .truth, "Whether the push counts as delivered."),
    OutputField("refusedBy", .word(["HTTP/2"]), "What refused it, if not APNs.").sometimes,
    OutputField("cause", .text, "Why it was refused.").sometimes,
    OutputField("fix", .text, "What to do about the refusal.").sometimes,
    OutputField("pushType", .text, "The push type, as judged.").sometimes,
    OutputField("topic", .text, "The topic, of the header or the certificate.").sometimes,
    OutputField("environment", .word(["sandbox", "production"]), "What it stands for.").sometimes,
    OutputField("findings", .array(.object(finding)), "What the rules say to it.").sometimes,
    OutputField("card", .object(card), "What a device would show.").sometimes,
    OutputField("certificate", .text, "The common name of the client's certificate.").sometimes,
    OutputField("note", .text, "Further information, for people.").sometimes,
  ]

  private static let finding = [
    OutputField("severity", .word(["error", "warning"]), "How bad it is."),
    OutputField("rule", .text, "The broken rule."),
    OutputField("path", .text, "The header or part concerned."),
    OutputField("message", .text, "What is wrong."), OutputField("fix", .text, "What to do."),
  ]

  private static let card = [
    OutputField("kind", .word(PushCard.Kind.allCases.map(\.rawValue)), "What it becomes."),
    OutputField("shown", .truth, "Whether there is something to see."),
    OutputField("title", .text, "The title.").sometimes,
    OutputField("subtitle", .text, "The subtitle.").sometimes,
    OutputField("body", .text, "The text.").sometimes,
    OutputField("sound", .text, "The sound's file, or default.").sometimes,
    OutputField("threadID", .text, "What it is grouped with.").sometimes,
    OutputField("collapseID", .text, "What it replaces an earlier one by.").sometimes,
    OutputField("category", .text, "The category.").sometimes,
    OutputField("interruptionLevel", .text, "The interruption level.").sometimes,
    OutputField("event", .text, "The event of a Live Activity.").sometimes,
    OutputField("why", .text, "What else there is to know, or why nothing is shown.").sometimes,
    OutputField("badge", .number, "The badge.").sometimes,
    OutputField("state", .anything, "The state of a Live Activity.").sometimes,
    OutputField("staleDate", .number, "When a Live Activity is out of date.").sometimes,
  ]
}
