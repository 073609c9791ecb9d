extension Reason {
  /// All known reasons: those for device pushes by status, then those for broadcasts only.
  public static let table: [ReasonInfo] =
    badRequests + credentials + deviceTokens + limits + server + broadcasts

  /// The payload limits in words: `4096 bytes (voip: 5120, to a channel: 5120)`.
  private static var payloadLimits: String {
    let others = PushType.rowsWithOwnLimit.map { "\($0.type): \($0.payloadLimit)" }
    let all = others + ["to a channel: \(PushType.broadcastPayloadLimit)"]
    return "\(PushType.usualPayloadLimit) bytes (\(all.joined(separator: ", ")))"
  }

  private static let badRequests: [ReasonInfo] = [
    ReasonInfo(
      .badCollapseID, .badRequest, .afterFix,
      meaning: "The collapse ID is longer than \(CollapseID.maximumBytes) bytes.",
      advice: "Shorten apns-collapse-id."),
    ReasonInfo(
      .badExpirationDate, .badRequest, .afterFix, on: .both,
      meaning: "apns-expiration is not a time, or not 0 on a channel that stores no messages.",
      advice: "Use 0 or whole seconds since 1970."),
    ReasonInfo(
      .badMessageID, .badRequest, .afterFix, on: .both,
      meaning: "apns-id, or apns-request-id for a channel, is not a UUID.",
      advice: "Omit it, or use a lowercase UUID."),
    ReasonInfo(
      .badPriority, .badRequest, .afterFix, on: .both,
      meaning: "apns-priority is not allowed here.",
      advice: "Use \(Priority.choices); \(PushType.fixedPriorities)."),
    ReasonInfo(
      .badTopic, .badRequest, .afterFix,
      meaning: "apns-topic is malformed.",
      advice: "Use the bundle ID plus the push type's suffix."),
    ReasonInfo(
      .duplicateHeaders, .badRequest, .afterFix,
      meaning: "A header occurs more than once.",
      advice: "Send each header once."),
    ReasonInfo(
      .idleTimeout, .badRequest, .newConnection, needsNewConnection: true,
      meaning: "The connection was idle for too long.",
      advice: "Send it again on a new connection."),
    ReasonInfo(
      .invalidPushType, .badRequest, .afterFix, on: .both,
      meaning: """
        The push type is unknown, does not match the topic, or is not \(PushType.liveactivity) for a \
        channel.
        """,
      advice: "Use a known push type and its topic suffix."),
    ReasonInfo(
      .missingDeviceToken, .badRequest, .afterFix,
      meaning: "The request path has no device token.",
      advice: "Specify a device token."),
    ReasonInfo(
      .missingTopic, .badRequest, .afterFix,
      meaning: "apns-topic is missing, and the certificate lists more than one topic.",
      advice: "Specify the bundle ID or the topic."),
    ReasonInfo(
      .payloadEmpty, .badRequest, .afterFix, on: .both,
      meaning: "The request has no payload.",
      advice: "Add a payload."),
    ReasonInfo(
      .topicDisallowed, .badRequest, .afterFix, on: .both,
      meaning: "The key or certificate is not allowed to push to this topic.",
      advice: """
        Check the team ID, key, bundle ID and topic suffix. After adding the app to the key, \
        open a new connection.
        """),
    ReasonInfo(
      .badPath, .notFound, .never, on: .both,
      meaning: "The request path is wrong.",
      advice: "Check the server URL; something between here and APNs may be rewriting it."),
    ReasonInfo(
      .methodNotAllowed, .methodNotAllowed, .never, on: .both,
      meaning: "The request method is wrong for the path.",
      advice: "Check the server URL; something between here and APNs may be rewriting requests."),
    ReasonInfo(
      .payloadTooLarge, .tooLarge, .never, on: .both,
      meaning: "The payload exceeds its push type's limit.",
      advice: "Shorten it to \(payloadLimits), or have the app download the rest."),
  ]

  private static let credentials: [ReasonInfo] = [
    ReasonInfo(
      .badCertificate, .forbidden, .credentials, on: .both, needsNewConnection: true,
      meaning: "The client certificate is invalid or was revoked.",
      advice: "Create a new push certificate in the developer portal."),
    ReasonInfo(
      .badCertificateEnvironment, .forbidden, .credentials, on: .both, needsNewConnection: true,
      meaning: "The client certificate is for the other environment.",
      advice: "Use the other environment, or a certificate for Sandbox & Production."),
    ReasonInfo(
      .expiredProviderToken, .forbidden, .newProviderToken, on: .both, needsNewConnection: true,
      meaning: "By APNs' clock the provider token is more than an hour old.",
      advice: "Create a new one. If it was new, set this machine's clock."),
    ReasonInfo(
      .forbidden, .forbidden, .never,
      meaning: "The action is not allowed.",
      advice: "Check that the key or certificate was not revoked and is allowed to send pushes."),
    ReasonInfo(
      .invalidProviderToken, .forbidden, .credentials, on: .both, needsNewConnection: true,
      meaning: "The provider token is malformed, or its signature cannot be verified.",
      advice: """
        Compare the key ID and team ID (they are easily swapped) with the key file, and set \
        this machine's clock.
        """),
    ReasonInfo(
      .missingProviderToken, .forbidden, .credentials, on: .both, needsNewConnection: true,
      meaning: "The request has neither a certificate nor a provider token.",
      advice: "Use a key, or a certificate with its private key."),
    ReasonInfo(
      .unrelatedKeyID, .forbidden, .newConnection, needsNewConnection: true,
      meaning: "The key is not related to the first one used on this connection.",
      advice: "Send it again on a new connection; use one key per connection.",
      source: Source.token),
    ReasonInfo(
      .badEnvironmentKeyID, .forbidden, .credentials, needsNewConnection: true,
      meaning: "The key cannot be used in this environment.",
      advice: "Use the other environment, or a key for this one.",
      source: Source.token),
    ReasonInfo(
      .badEnvironmentKey, .forbidden, .credentials, needsNewConnection: true,
      meaning: "The key cannot be used in this environment.",
      advice: "Use the other environment, or a key for this one.",
      source: Source.field),
  ]

  private static let deviceTokens: [ReasonInfo] = [
    ReasonInfo(
      .badDeviceToken, .badRequest, .never, deadToken: .candidate,
      meaning: "The device token is malformed, or belongs to the other environment.",
      advice: """
        Development builds have sandbox tokens; TestFlight and App Store builds have production \
        tokens. Try the other environment first.
        """),
    ReasonInfo(
      .deviceTokenNotForTopic, .badRequest, .never,
      meaning: "The device token belongs to another app or push type.",
      advice:
        "Compare the bundle ID and topic suffix with those of the app that registered the token."),
    ReasonInfo(
      .expiredToken, .gone, .never, deadToken: .yes,
      meaning: "The device token has expired.",
      advice: "Remove it from the list; the app registers a new one."),
    ReasonInfo(
      .unregistered, .gone, .never, deadToken: .yes,
      meaning: "The device token is no longer active, usually because the app was removed.",
      advice: "Remove it from the list, unless the app registered it again after the timestamp."),
  ]

  private static let limits: [ReasonInfo] = [
    ReasonInfo(
      .tooManyProviderTokenUpdates, .tooMany, .keepToken, on: .both,
      meaning: "Provider tokens are replaced more than once every 20 minutes.",
      advice: "Use one provider token for 20 to 60 minutes in all processes that send."),
    ReasonInfo(
      .tooManyRequests, .tooMany, .slowToken, on: .both,
      meaning: "Too many pushes were sent to one device token, or to one channel.",
      advice: "Send there less often."),
  ]

  private static let server: [ReasonInfo] = [
    ReasonInfo(
      .internalServerError, .serverError, .later, on: .both,
      meaning: "An internal error occurred in APNs.",
      advice: "Try again after 15 minutes, then less often."),
    ReasonInfo(
      .serviceUnavailable, .unavailable, .later, on: .both,
      meaning: "APNs is unavailable.",
      advice: "Try again after 15 minutes, then less often."),
    ReasonInfo(
      .shutdown, .unavailable, .later, on: .both, needsNewConnection: true,
      meaning: "This APNs server is shutting down.",
      advice: "Try again after 15 minutes, on a new connection."),
  ]

  private static let broadcasts: [ReasonInfo] = [
    ReasonInfo(
      .featureNotEnabled, .badRequest, .afterFix, on: .broadcast,
      meaning: "Broadcast is not enabled for the app.",
      advice: "Enable the Broadcast capability of the App ID in the developer portal.",
      source: Source.broadcastErrors),
    ReasonInfo(
      .missingChannelID, .badRequest, .afterFix, on: .broadcast,
      meaning: "apns-channel-id is missing.",
      advice: "Specify the channel ID.", source: Source.broadcastErrors),
    ReasonInfo(
      .badChannelID, .badRequest, .afterFix, on: .broadcast,
      meaning: "apns-channel-id is not base64, or too long.",
      advice: "Use the ID exactly as APNs returned it.", source: Source.broadcastErrors),
    ReasonInfo(
      .channelNotRegistered, .badRequest, .afterFix, on: .broadcast,
      meaning: "The channel does not exist.",
      advice: "List the channels; each belongs to one environment.",
      source: Source.broadcastErrors),
    ReasonInfo(
      .badRequestParams, .badRequest, .afterFix, on: .broadcast,
      meaning: "The body has an unknown attribute.",
      advice: "Use only message-storage-policy and push-type.", source: Source.broadcastErrors),
    ReasonInfo(
      .badRequestPayload, .badRequest, .afterFix, on: .broadcast,
      meaning: "The body is not JSON.",
      advice: "Correct the body.", source: Source.broadcastErrors),
    ReasonInfo(
      .missingPushType, .badRequest, .afterFix, on: .broadcast,
      meaning: "The push type is missing.",
      advice: "Use liveactivity.", source: Source.broadcastErrors),
    ReasonInfo(
      .cannotCreateChannel, .badRequest, .afterFix, on: .broadcast,
      meaning: "The app has reached its channel limit.",
      advice: "Delete unused channels.", source: Source.broadcastErrors),
    ReasonInfo(
      .missingChannelQueueSize, .badRequest, .afterFix, on: .broadcast,
      meaning: "The request does not say what the new channel stores.",
      advice: "Use message-storage-policy 0 or 1.", source: Source.field),
    ReasonInfo(
      .topicMismatch, .forbidden, .credentials, on: .broadcast,
      meaning: "The key or certificate does not cover the app in the path.",
      advice: "Use the plain bundle ID and a key of its team.", source: Source.broadcastErrors),
  ]
}
