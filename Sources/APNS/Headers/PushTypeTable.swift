package import JSONText

extension PushType {
  /// The payload limit in bytes for types that are not in the table, and for those that do not set
  /// their own.
  package static let usualPayloadLimit = 4096

  /// The payload limit of a push to a channel, in bytes (Apple: Sending broadcast push notification
  /// requests to APNs).
  package static let broadcastPayloadLimit = 5120

  /// The push types that Apple documents. Help, checks and the emulator all use this one list.
  package static let table: [PushTypeInfo] = [
    PushTypeInfo(
      .alert, needsAPS: true, isTakenByFile: true, isInUniversalCertificate: true,
      summary: "Shows an alert, plays a sound or sets the badge.",
      platforms: "iOS, iPadOS, macOS, tvOS, visionOS, watchOS 6"),
    PushTypeInfo(
      .background, priorities: [.powerAware], doubtfulPriorities: [.powerFirst],
      defaultPriority: .powerAware, needsAPS: true, ownKey: "aps.content-available",
      isTakenByFile: true,
      summary: "Wakes the app in the background; shows nothing.",
      platforms: "iOS, iPadOS, macOS, tvOS, visionOS, watchOS 6", source: Source.background),
    PushTypeInfo(
      .voip, suffix: ".voip", suffixIsCommonWord: true, isUrgent: true, payloadLimit: 5120,
      needsAPS: false, hasOwnToken: true, isInUniversalCertificate: true,
      summary: "Announces an incoming call to an app that uses PushKit and CallKit.",
      platforms: "iOS 9, iPadOS, Mac Catalyst 14, visionOS 1"),
    PushTypeInfo(
      .complication, suffix: ".complication", suffixIsCommonWord: true, needsAPS: false,
      hasOwnToken: true, isInUniversalCertificate: true,
      summary: "Updates a watchOS complication, up to 50 times a day.",
      platforms: "watchOS 6 (sent to the watch itself), iOS 9 to 13"),
    PushTypeInfo(
      .fileprovider, suffix: ".pushkit.fileprovider", needsAPS: false, hasOwnToken: true,
      summary: "Tells a File Provider extension that a container changed.",
      platforms: "iOS, iPadOS, macOS, visionOS"),
    PushTypeInfo(
      .mdm, usesBundleID: false, needsAPS: false, ownKey: "mdm", authentication: [.certificate],
      summary: "Asks a managed device to contact its management server.",
      platforms: "iOS 4, iPadOS, macOS 10.7, tvOS 9, visionOS 1.1", source: Source.mdm),
    PushTypeInfo(
      .location, suffix: ".location-query", needsAPS: false, hasOwnToken: true,
      authentication: [.token],
      summary: "Asks a location push extension for the device's location.",
      platforms: "iOS 15, iPadOS 15", source: Source.location),
    PushTypeInfo(
      .liveactivity, suffix: ".push-type.liveactivity",
      priorities: [.immediate, .powerAware], doubtfulPriorities: [.powerFirst], needsAPS: true,
      hasOwnToken: true, doubtfulAuthentication: [.certificate],
      summary: "Starts, updates or ends a Live Activity.",
      platforms: "iOS 16.1, iPadOS 17; starting one since iOS 17.2, channels since iOS 18",
      source: Source.liveActivity),
    PushTypeInfo(
      .pushtotalk, suffix: ".voip-ptt", isUrgent: true, needsAPS: false, hasOwnToken: true,
      summary: "Announces speech in a Push to Talk channel.",
      platforms: "iOS 16, iPadOS 16"),
    PushTypeInfo(
      .controls, suffix: ".push-type.controls", needsAPS: true, ownKey: "aps.content-changed",
      hasOwnToken: true,
      summary: "Reloads the app's controls.",
      platforms: "iOS 18, iPadOS 18, macOS 26, watchOS 26", source: Source.controls),
    PushTypeInfo(
      .widgets, suffix: ".push-type.widgets", needsAPS: true, ownKey: "aps.content-changed",
      hasOwnToken: true,
      summary: "Reloads the app's widgets.",
      platforms: "iOS 26, iPadOS 26, macOS 26, visionOS 26, watchOS 26", source: Source.widgets),
  ]

  /// The key of a Push to Talk service update, and its value (Apple DTS: forums 787878).
  static let serviceUpdate = (key: "ptt-push-type", value: "service-update")

  /// The push types that have this key as their ``PushTypeInfo/ownKey``.
  static func types(about key: String) -> [PushType] {
    table.filter { $0.ownKey == key }.map(\.type)
  }

  /// The types with a single priority, in words: `background pushes take 5`.
  static var fixedPriorities: String {
    let rows = table.filter { $0.priorities.count == 1 }
    return rows.map { "\($0.type) pushes take \($0.defaultPriority)" }.joined(separator: ", ")
  }

  /// The rows whose payload limit differs from ``usualPayloadLimit``.
  package static var rowsWithOwnLimit: [PushTypeInfo] {
    table.filter { $0.payloadLimit != usualPayloadLimit }
  }
}

extension PushTypeInfo {
  /// True for a Push to Talk service update, which is not urgent.
  func isServiceUpdate(_ payload: JSON?) -> Bool {
    type == .pushtotalk
      && payload?["aps"]?[PushType.serviceUpdate.key]?.string == PushType.serviceUpdate.value
  }

  /// The priority to send by default with a payload.
  package func defaultPriority(for payload: JSON?) -> Priority {
    isServiceUpdate(payload) ? .powerAware : defaultPriority
  }
}
