extension PayloadKey {
  /// The keys of a payload that Apple defines, in the order they are explained.
  public static let table: [PayloadKey] =
    apsKeys + liveActivityKeys + alertKeys + localizedKeys + soundKeys + rootKeys

  /// The key of push types that reload something.
  static let contentChanged = "aps.content-changed"
  /// The key of the number on the app's icon.
  static let badge = "aps.badge"
  /// The key of push types that wake the app.
  static let contentAvailable = "aps.content-available"

  private static let apsKeys: [PayloadKey] = [
    PayloadKey(
      "aps", .object, summary: "Apple's part of the payload.",
      explanation: "The app's own keys go beside it; inside it they are ignored."),
    PayloadKey(
      "aps.alert", .text, .object, neededBy: [.start], summary: "The alert to show.",
      explanation: "Text is the body; an object has title, subtitle, body and more."),
    PayloadKey(
      badge, .number, values: .wholeNumbers(0...Int.max),
      summary: "The number on the app's icon.",
      explanation: """
        0 removes the badge; if the key is omitted, it stays unchanged. APNs cannot count up.
        """, otherwise: "a negative number is dropped", source: Source.parser),
    PayloadKey(
      "aps.sound", .text, .object, values: .soundFile, summary: "The sound to play.",
      explanation: """
        Text names a sound file in the app, or is `default`. An object is for critical alerts. \
        In a Live Activity the key goes inside alert.
        """),
    PayloadKey(
      "aps.thread-id", .text, summary: "Groups notifications on the screen.",
      explanation: "Notifications with the same value appear as one group."),
    PayloadKey(
      "aps.category", .text, summary: "Chooses the action buttons.",
      explanation: "The identifier of a category that the app registered at launch."),
    PayloadKey(
      contentAvailable, .number, values: .one, summary: "Wakes the app in the background.",
      explanation: "The only value is 1. Alone in aps, it makes a background push."),
    PayloadKey(
      "aps.mutable-content", .number, values: .one,
      summary: "Passes the push through a service extension.",
      explanation: """
        The only value is 1. The app's notification service extension can change the \
        notification before it is shown; requires an alert.
        """),
    PayloadKey(
      "aps.target-content-id", .text, summary: "Chooses the window to bring forward.",
      explanation: "Matched against the target content identifiers of the app's scenes."),
    PayloadKey(
      "aps.interruption-level", .text,
      values: .words(["passive", "active", "time-sensitive", "critical"]),
      summary: "How much to interrupt the user.",
      explanation: """
        passive, active, time-sensitive or critical. The last two require an entitlement. critical \
        makes any sound with a name, and the default one, critical.
        """, otherwise: "another word is read as active", source: Source.parser),
    PayloadKey(
      "aps.relevance-score", .number, values: .numbers(0...1), isOpenFor: [.liveactivity],
      summary: "Ranks the notification in the app's summary.",
      explanation: """
        0 to 1; the highest is featured. A Live Activity can use any number.
        """, otherwise: "a number outside is read as the nearest of 0 and 1", source: Source.parser),
    PayloadKey(
      "aps.filter-criteria", .text, summary: "Lets a Focus filter the notification.",
      explanation: "The app's Focus filter compares it with its own criteria."),
    PayloadKey(
      contentChanged, .bool, values: .yes, types: PushType.types(about: contentChanged),
      summary: "Reloads widgets or controls.",
      explanation: "The only value is true.",
      source: Source.widgets),
    PayloadKey(
      "aps.\(PushType.serviceUpdate.key)", .text, types: [.pushtotalk],
      summary: "The kind of a Push to Talk push.",
      explanation: """
        \(PushType.serviceUpdate.value), since iOS 17.2, tells the app of news about a channel \
        that are not urgent; its priority is 5 or less whenever possible.
        """, source: Source.pushToTalk),
    PayloadKey(
      "aps.url-args", .texts, summary: "Fills the URL of a Safari website push.",
      explanation: "One text per placeholder in the website's urlFormatString.",
      source: Source.safari),
  ]

  private static let liveActivityKeys: [PayloadKey] = [
    PayloadKey(
      "aps.event", .text, values: .words(LiveActivityEvent.allCases.map(\.rawValue)),
      types: [.liveactivity], summary: "What to do with the Live Activity.",
      explanation: "start, update or end.", source: Source.liveActivity),
    PayloadKey(
      "aps.timestamp", .number, values: .moment(allowsZero: false), types: [.liveactivity],
      neededBy: [.start, .update, .end], summary: "When the Live Activity's state was current.",
      explanation: """
        Seconds since 1970. A push older than the last one is dropped; by one report, so is an \
        update with a time in the past or more than eight hours ahead.
        """, source: "\(Source.liveActivity); forums 776165 (one reply)"),
    PayloadKey(
      "aps.content-state", .object, types: [.liveactivity], neededBy: [.start, .update],
      summary: "The new state of a Live Activity.",
      explanation: """
        Decoded with Swift's default rules into the app's ContentState; custom date or key \
        strategies make it fail silently.
        """, source: Source.liveActivity),
    PayloadKey(
      "aps.attributes-type", .text, values: .typeName, types: [.liveactivity], events: [.start],
      neededBy: [.start], summary: "The type of a Live Activity to start.",
      explanation: "The name of the ActivityAttributes structure; only with event start.",
      source: Source.liveActivity),
    PayloadKey(
      "aps.attributes", .object, types: [.liveactivity], events: [.start], neededBy: [.start],
      summary: "The data that does not change during a Live Activity.",
      explanation: "Only with event start; ignored in updates.", source: Source.liveActivity),
    PayloadKey(
      "aps.stale-date", .number, values: .moment(allowsZero: false), types: [.liveactivity],
      summary: "When the Live Activity's state becomes outdated.",
      explanation: "Seconds since 1970.", source: Source.liveActivity),
    PayloadKey(
      "aps.dismissal-date", .number, values: .moment(allowsZero: true), types: [.liveactivity],
      events: [.end], summary: "When an ended Live Activity leaves the screen.",
      explanation:
        "Seconds since 1970, at most four hours ahead; a past date or 0 removes it immediately.",
      source: Source.liveActivity),
    PayloadKey(
      "aps.input-push-token", .number, values: .one, types: [.liveactivity], events: [.start],
      summary: "Requests a push token for the started Live Activity.",
      explanation:
        "The only value is 1; only with event start, since iOS 18, and not with a channel.",
      source: Source.liveActivity),
    PayloadKey(
      "aps.input-push-channel", .text, values: .base64, types: [.liveactivity], events: [.start],
      summary: "Subscribes the started Live Activity to a channel.",
      explanation: """
        A broadcast channel ID in base64; only with event start. Before iOS 18 the activity does \
        not start.
        """, source: Source.liveActivity),
  ]

  private static let alertKeys: [PayloadKey] = [
    PayloadKey(
      "aps.alert.title", .text, .object, summary: "The title.",
      explanation: """
        An object with loc-key and loc-args is allowed only in a Live Activity.
        """),
    PayloadKey(
      "aps.alert.subtitle", .text, summary: "The line below the title.",
      explanation: "Shown only where the system has room for it."),
    PayloadKey(
      "aps.alert.body", .text, .object, summary: "The text.",
      explanation: """
        An object with loc-key and loc-args is allowed only in a Live Activity.
        """),
    PayloadKey(
      "aps.alert.launch-image", .text, summary: "The image shown while the app opens.",
      explanation: "The name of a launch image or storyboard in the app's bundle."),
    PayloadKey(
      "aps.alert.title-loc-key", .text, summary: "The localization key of the title.",
      explanation:
        """
        A key in the app's Localizable strings; used instead of title, which iOS 26.1 shows if the key \
        has no translation.
        """,
      source: Source.parser),
    PayloadKey(
      "aps.alert.title-loc-args", .texts, summary: "Arguments for the localized title.",
      explanation: "One text per placeholder, in order."),
    PayloadKey(
      "aps.alert.subtitle-loc-key", .text, summary: "The localization key of the subtitle.",
      explanation:
        """
        A key in the app's Localizable strings; used instead of subtitle, which iOS 26.1 shows if the key \
        has no translation.
        """,
      source: Source.parser),
    PayloadKey(
      "aps.alert.subtitle-loc-args", .texts, summary: "Arguments for the localized subtitle.",
      explanation: "One text per placeholder, in order."),
    PayloadKey(
      "aps.alert.loc-key", .text, summary: "The localization key of the body.",
      explanation:
        """
        A key in the app's Localizable strings; used instead of body, which iOS 26.1 shows if the key \
        has no translation.
        """,
      source: Source.parser),
    PayloadKey(
      "aps.alert.loc-args", .texts, summary: "Arguments for the localized body.",
      explanation: "One text per placeholder, in order."),
    PayloadKey(
      "aps.alert.sound", .text, values: .soundFile, types: [.liveactivity],
      summary: "The sound of a Live Activity's alert.",
      explanation: "In a Live Activity the sound goes here, not directly in aps.",
      source: Source.liveActivity),
    PayloadKey(
      "aps.alert.summary-arg", .text, summary: "The sender's name in the summary of a group.",
      explanation: "For iOS 12 to 14; ignored since iOS 15.", ended: "iOS 15",
      source: Source.summary),
    PayloadKey(
      "aps.alert.summary-arg-count", .number, values: .wholeNumbers(0...Int.max),
      summary: "The number that the push adds to the summary of a group.",
      explanation: "For iOS 12 to 14; ignored since iOS 15.", ended: "iOS 15",
      source: Source.summary),
    PayloadKey(
      "aps.alert.action", .text, summary: "The button of a Safari website push.",
      explanation: "Older systems only.", source: Source.safari),
    PayloadKey(
      "aps.alert.action-loc-key", .text, summary: "The localization key of the button's label.",
      explanation: "Older systems only; replaced by categories.", source: Source.field),
  ]

  private static let localizedKeys: [PayloadKey] = ["title", "body"].flatMap { text in
    [
      PayloadKey(
        "aps.alert.\(text).loc-key", .text,
        summary: "The localization key of the \(text) of a Live Activity's alert.",
        explanation: "A key in the app's Localizable strings.", source: Source.liveActivity),
      PayloadKey(
        "aps.alert.\(text).loc-args", .texts,
        summary: "Arguments for the localized \(text) of a Live Activity's alert.",
        explanation: "One text per placeholder, in order.", source: Source.liveActivity),
    ]
  }

  private static let soundKeys: [PayloadKey] = [
    PayloadKey(
      "aps.sound.critical", .number, values: .wholeNumbers(0...1),
      summary: "Makes the alert a critical one.",
      explanation: "1 plays even in silent mode; requires an entitlement from Apple."),
    PayloadKey(
      "aps.sound.name", .text, values: .soundFile, summary: "The sound file.",
      explanation: "A file of the app's bundle or Library/Sounds, or `default`."),
    PayloadKey(
      "aps.sound.volume", .number, values: .numbers(0...1),
      summary: "The volume of a critical alert.",
      explanation: "From 0 (silent) to 1 (full).",
      otherwise: "a number outside is read as the nearest of 0 and 1", source: Source.parser),
  ]

  private static let rootKeys: [PayloadKey] = [
    PayloadKey(
      "mdm", .text, types: [.mdm], summary: "Wakes a device's management client.",
      explanation: "The PushMagic that the device sent; the only key in an mdm payload.",
      source: Source.mdm),
    PayloadKey(
      "container-identifier", .text, types: [.fileprovider],
      summary: "The File Provider container that changed.",
      explanation: "Often NSFileProviderWorkingSetContainerItemIdentifier.",
      source: Source.fileProvider),
    PayloadKey(
      "domain", .text, types: [.fileprovider], summary: "The File Provider domain that changed.",
      explanation: "Goes next to container-identifier.", source: Source.fileProvider),
  ]
}
