internal import Reporting
internal import Runs

// The output of 'fanfare channel'.
extension Outputs {
  private static let place = [
    OutputField("channel", .text, "The channel's ID."),
    OutputField("bundleID", .text, "The app that it belongs to."),
    OutputField("environment", .text, "The environment that it exists in, or the server's URL."),
  ]

  /// A channel that was created, or one of several.
  static let channel =
    place + [
      OutputField(
        "storagePolicy", .orNull(.integer),
        "What it stores: 0 nothing, 1 the latest push; null if that is not known."),
      OutputField(
        "createdAt", .orNull(.integer),
        "When it was created from here, in milliseconds since 1970; null if it was not."),
      OutputField(
        "requestID", .orNull(.text), "The apns-request-id of its creation from here."),
    ]

  static let shownChannel =
    channel + [
      OutputField(
        "pushes", .array(.object(broadcast)), "The last pushes to it, of up to five runs.")
    ]

  static let deletedChannel =
    place + [
      OutputField("deleted", .truth, "Always true."),
      OutputField("requestID", .text, "The apns-request-id of the deletion."),
    ]

  private static let broadcast = [
    OutputField("run", .integer, "The run's number."),
    OutputField("at", .integer, "When it got its result, in milliseconds since 1970."),
    OutputField("outcome", outcome, "What became of the push."),
    OutputField("status", .orNull(.integer), "The HTTP status of the answer."),
    OutputField("reason", .orNull(.text), "Why it was refused."),
    OutputField("requestID", .text, "The push's apns-request-id."),
  ]
}
