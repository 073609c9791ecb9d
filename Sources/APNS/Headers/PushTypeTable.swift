extension PushType {
  /// The payload limit of a type that is not in ``table``, in bytes.
  public static let usualPayloadLimit = 4096

  /// Every push type Apple documents. Helps, checks and the emulator all read this one list.
  public static let table: [PushTypeInfo] = [
    PushTypeInfo(
      .alert, needsAPS: true,
      summary: "Shows an alert, plays a sound or sets the badge.",
      platforms: "iOS, iPadOS, macOS, tvOS, visionOS, watchOS 6"),
    PushTypeInfo(
      .background, priorities: [.powerAware], doubtfulPriorities: [.powerFirst],
      defaultPriority: .powerAware, needsAPS: true,
      summary: "Wakes the app in the background; shows nothing.",
      platforms: "iOS, iPadOS, macOS, tvOS, visionOS, watchOS 6", source: Source.background),
    PushTypeInfo(
      .voip, suffix: ".voip", suffixIsCommonWord: true, payloadLimit: 5120, needsAPS: false,
      summary: "Announces an incoming call to an app that uses PushKit and CallKit.",
      platforms: "iOS 9, iPadOS, Mac Catalyst 14, visionOS 1"),
    PushTypeInfo(
      .complication, suffix: ".complication", suffixIsCommonWord: true, needsAPS: false,
      summary: "Brings new data for a watch complication, up to 50 times a day.",
      platforms: "watchOS 6 (sent to the watch itself), iOS 9 to 13"),
    PushTypeInfo(
      .fileprovider, suffix: ".pushkit.fileprovider", needsAPS: false,
      summary: "Tells a File Provider extension that a container changed.",
      platforms: "iOS, iPadOS, macOS, visionOS"),
    PushTypeInfo(
      .mdm, needsAPS: false, authentication: [.certificate],
      summary: "Asks a managed device to contact its management server.",
      platforms: "iOS 4, iPadOS, macOS 10.7, tvOS 9, visionOS 1.1", source: Source.mdm),
    PushTypeInfo(
      .location, suffix: ".location-query", needsAPS: false, authentication: [.token],
      summary: "Asks a location push extension for the device's place.",
      platforms: "iOS 15, iPadOS 15", source: Source.location),
    PushTypeInfo(
      .liveactivity, suffix: ".push-type.liveactivity",
      priorities: [.immediate, .powerAware], doubtfulPriorities: [.powerFirst], needsAPS: true,
      summary: "Starts, updates or ends a Live Activity.",
      platforms: "iOS 16.1, iPadOS 17; starting one since iOS 17.2", source: Source.liveActivity),
    PushTypeInfo(
      .pushtotalk, suffix: ".voip-ptt", needsAPS: false,
      summary: "Announces speech in a Push to Talk channel.",
      platforms: "iOS 16, iPadOS 16"),
    PushTypeInfo(
      .controls, suffix: ".push-type.controls", needsAPS: true,
      summary: "Reloads the app's controls.",
      platforms: "iOS 18, iPadOS 18, macOS 26, watchOS 26", source: Source.controls),
    PushTypeInfo(
      .widgets, suffix: ".push-type.widgets", needsAPS: true,
      summary: "Reloads the app's widgets.",
      platforms: "iOS 26, iPadOS 26, macOS 26, visionOS 26, watchOS 26", source: Source.widgets),
  ]
}
