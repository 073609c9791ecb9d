internal import APNS
internal import CommandLineKit

/// What to send: a payload file, and options that make or override parts of it.
struct PayloadOptions: Sendable, Equatable {
  var payload: String?
  var title: String?
  var subtitle: String?
  var body: String?
  var badge: Int?
  var sound: String?
  var category: String?
  var threadID: String?
  var interruptionLevel: InterruptionLevel?
  var relevanceScore: NumberArgument?
  var contentAvailable = false
  var mutableContent = false
  var data: [DataArgument] = []
  var variables: [VariableArgument] = []

  /// How much a notification may interrupt (Apple: Generating a remote notification).
  enum InterruptionLevel: String, ArgumentValue, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical
  }

  static let group = OptionGroup<Self>(
    "What",
    [
      .option(
        "payload", \.payload, value: "FILE", help: "A JSON file, or '-' for standard input.",
        completion: .file),
      .option("title", \.title, value: "TEXT", help: "The alert's title."),
      .option("subtitle", \.subtitle, value: "TEXT", help: "The alert's subtitle."),
      .option("body", \.body, value: "TEXT", help: "The alert's text."),
      .option("badge", \.badge, value: "N", help: "The number on the app's icon; 0 clears it."),
      .option("sound", \.sound, value: "NAME", help: "A sound file of the app, or 'default'."),
      .option(
        "category", \.category, value: "ID", help: "The category that brings the action buttons."),
      .option("thread-id", \.threadID, value: "ID", help: "Groups notifications."),
      .option(
        "interruption-level", \.interruptionLevel, value: "LEVEL",
        help: "How much it may interrupt.",
        completion: .words(["passive", "active", "time-sensitive", "critical"])),
      .option(
        "relevance-score", \.relevanceScore, value: "N",
        help: "How far up it stands among the app's own, 0 to 1."),
      .flag(
        "content-available", \.contentAvailable, help: "Wakes the app in the background."),
      .flag(
        "mutable-content", \.mutableContent, help: "Lets the app's service extension change it."),
      .option(
        "data", \.data, value: "KEY=JSON", help: "A key of the app's own, beside 'aps'."),
      .option(
        "var", \.variables, value: "NAME=VALUE",
        help: "Text for the placeholder {{NAME}}, where a list gives none."),
    ])

  /// The parts as edits of a payload.
  var edits: PayloadEdits {
    var edits = PayloadEdits()
    edits.title = title
    edits.subtitle = subtitle
    edits.body = body
    edits.badge = badge
    edits.sound = sound
    edits.category = category
    edits.threadID = threadID
    edits.interruptionLevel = interruptionLevel?.rawValue
    edits.relevanceScore = relevanceScore?.number
    edits.contentAvailable = contentAvailable
    edits.mutableContent = mutableContent
    edits.data = data.map(\.member)
    return edits
  }
}
