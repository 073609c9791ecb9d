internal import Reporting

// The output of commands that send nothing, and of those that list possible recipients.
extension Outputs {
  /// A preview of one push, or of the steps of a scenario.
  static let preview = OutputShape.either([
    .object(shownPushes),
    .object([
      OutputField("scenario", .text, "The scenario's name, or its file."),
      OutputField("steps", .array(.object(shownStep + shownPushes)), "Its notifications."),
    ]),
  ])

  private static let shownStep = [
    OutputField("step", .integer, "The step's number among the notifications, from 1."),
    OutputField("name", .orNull(.text), "The step's name."),
  ]

  private static let shownPushes = [
    OutputField(
      "shows", .word(["alert", "call", "liveActivity", "nothing"]), "What the device shows."),
    OutputField("note", .orNull(.text), "What else there is to know of it, for people."),
    OutputField("banner", .orNull(.object(banner)), "The alert on the lock screen."),
    OutputField(
      "liveActivity", .object(liveActivity), "What becomes of the Live Activity."
    ).sometimes,
    OutputField("type", .orNull(.text), "The push type."),
    OutputField("app", .orNull(.text), "The app's bundle ID."),
    OutputField("row", .orNull(.text), "The row that filled in the placeholders."),
    OutputField("badge", .orNull(.number), "The number on the app's icon; null if it stays."),
    OutputField("sound", .anything, "The sound as the payload has it; null for none."),
    OutputField("interruptionLevel", .orNull(.text), "The interruption level."),
    OutputField("threadID", .orNull(.text), "The thread that groups it; null for none."),
    OutputField("category", .orNull(.text), "The category of its buttons."),
    OutputField("relevanceScore", .orNull(.number), "The ranking in the app's summary, if given."),
    OutputField("contentAvailable", .truth, "Whether it wakes the app in the background."),
    OutputField("mutableContent", .truth, "Whether the app's extension may change it."),
    OutputField("collapseID", .orNull(.text), "The collapse ID of what it replaces."),
    OutputField("expiration", .orNull(.text), "The value of apns-expiration."),
    OutputField("bytes", .integer, "The payload's length."),
    OutputField("data", .map(.anything), "The app's own keys of the payload."),
    OutputField("problems", .array(.object(problem)), "The warnings."),
  ]

  private static let banner = [
    OutputField("title", .orNull(.text), "The title, as much as fits."),
    OutputField("subtitle", .orNull(.text), "The subtitle, as much as fits."),
    OutputField("body", .array(.text), "The lines of the text, as many as fit."),
  ]

  private static let liveActivity = [
    OutputField("event", .orNull(.text), "The event: start, update or end."),
    OutputField(
      "timestamp", .orNull(.number), "When the state was current, in seconds since 1970."),
    OutputField("staleDate", .orNull(.number), "When it is out of date, in seconds since 1970."),
    OutputField("dismissalDate", .orNull(.number), "When it goes, in seconds since 1970."),
    OutputField("attributesType", .orNull(.text), "The type of its attributes."),
    OutputField("attributes", .orNull(.map(.anything)), "Its attributes."),
    OutputField("contentState", .orNull(.map(.anything)), "Its state."),
  ]

  /// The list of examples, or a single example.
  static let example = OutputShape.either([
    .array(.object(listedExample)),
    .object(listedExample + [OutputField("payload", .anything, "The payload.")]),
  ])

  private static let listedExample = [
    OutputField("name", .text, "The push type and a name."),
    OutputField("pushType", .orNull(.text), "The push type."),
    OutputField("summary", .text, "What it shows, in a sentence."),
  ]

  /// A named device token, or a group of names.
  static let device = OutputShape.either([
    .object([
      deviceName, OutputField("token", .text, "The whole device token, in lowercase."),
      OutputField("environment", .orNull(.text), "The environment that the device is in."),
      OutputField("bundleID", .orNull(.text), "The bundle ID of its app."), deviceFile,
    ]),
    .object([
      deviceName, OutputField("devices", .array(.text), "The names in the group."), deviceFile,
    ]),
  ])

  private static let deviceName = OutputField("name", .text, "The device's or the group's name.")
  private static let deviceFile = OutputField("file", .orNull(.text), "The file that names it.")
}
