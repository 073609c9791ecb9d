package import APNS

/// The contents of a scenario file: the one description for reader, JSON Schema and documentation.
public enum ScenarioShape {
  /// The whole file.
  package static let file = FileShape.object(
    ObjectShape(
      [
        .schema,
        FileKey("extends", .text, help: "A scenario that supplies defaults."),
        FileKey("name", .text, help: "What it is called in reports and in the history."),
        FileKey("profile", .text, help: "The profile that supplies defaults."),
        Settings.key("bundleID"),
        FileKey("environment", SettingShapes.scriptedEnvironment, help: "Where to send."),
        FileKey("credentials", SettingShapes.credentials, help: "Who is sending."),
        Settings.key("connections"),
        recipients,
        channel,
        FileKey(
          "variables", .map(.anything),
          help: "Values for placeholders that a recipient does not set."),
        FileKey("notification", notification, help: "What to send."),
        FileKey(
          "steps", .array(.either([step, pause])),
          help: "Several notifications in order, in place of notification."),
        FileKey("expect", expectation, help: "The expected answers; the default for all steps."),
      ], exclusive: [["notification", "steps"], target]))

  private static let recipients = FileKey(
    "recipients", .array(.text),
    help: "Who to send to: device tokens, \"device:NAME\" for a named one, and files.")

  private static let channel = FileKey(
    "channel", .either([.text, .object(newChannel)]),
    help: "In place of recipients: a broadcast channel, by its ID. It fills {{channel}}.")

  private static let newChannel = FileKey(
    "create", .object(store), isRequired: true,
    help: "A channel that is created before the first step and deleted after the last.")

  private static let store = FileKey(
    "store", .truth, help: "Whether it stores the latest push for devices that are offline.")

  /// The keys for the destination, of which only one may be present.
  private static let target = ["recipients", "channel"]

  private static let notification = FileShape.object(
    FileKey(
      "type", .openWord(PushType.table.map(\.type.rawValue)),
      help: "The push type; inferred from the payload where that is certain."),
    FileKey("topic", .text, help: "Taken as it is, in place of bundleID."),
    FileKey("priority", scalar, help: "10, 5 or 1."),
    FileKey(
      "expiration", scalar,
      help: "0, epoch seconds, ISO 8601, or a time span such as \"1h\"."),
    FileKey("collapseID", scalar, help: "A later push with this ID replaces it."),
    FileKey("headers", .map(scalar), help: "Headers newer than this tool."),
    FileKey(
      "payload", .either([.text, .map(.anything)]),
      help: "A path to a JSON file, or the payload itself."))

  private static let scalar = FileShape.either([.text, .number])

  private static let step = FileShape.object(
    ObjectShape(
      [
        FileKey("name", .text, help: "What the step is called in reports."),
        FileKey("notification", notification, isRequired: true, help: "What to send."),
        recipients,
        channel,
        FileKey("expect", expectation, help: "What must come back."),
      ], exclusive: [target]))

  private static let pause = FileShape.object(
    FileKey(
      "wait", .timeSpan, isRequired: true,
      help: "How long to wait, from the end of the step before."))

  private static let expectation = FileShape.object(
    FileKey("status", .integer(100...599), help: "The status of every answer."),
    FileKey("reason", .text, help: "The reason of every answer."),
    FileKey(
      "acceptedAtLeast", .ratio,
      help:
        "The minimum share to be accepted; status and reason then apply to the others."),
    FileKey(
      "latencyP99Below", .timeSpan, help: "The time within which 99 of 100 answers must come."))

  /// The JSON Schema of scenario files.
  public static var schema: [UInt8] { file.schema(titled: "A scenario of fanfare") }
}
