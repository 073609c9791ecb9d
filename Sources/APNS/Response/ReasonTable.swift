extension Reason {
  /// Every reason known: those of device pushes by status, then those of broadcasts alone.
  public static let table: [ReasonInfo] =
    badRequests + credentials + deviceTokens + limits + server + broadcasts

  /// `4096 bytes (voip: 5120)`.
  private static var payloadLimits: String {
    let others = PushType.rowsWithOwnLimit.map { "\($0.type): \($0.payloadLimit)" }
    return "\(PushType.usualPayloadLimit) bytes"
      + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
  }

  private static let badRequests: [ReasonInfo] = [
    ReasonInfo(
      .badCollapseID, .badRequest, .afterFix,
      meaning: "The collapse id is longer than \(CollapseID.maximumBytes) bytes.",
      advice: "Shorten apns-collapse-id."),
    ReasonInfo(
      .badExpirationDate, .badRequest, .afterFix, on: .both,
      meaning: "apns-expiration is not a time, or not 0 on a channel that stores nothing.",
      advice: "Give 0 or whole seconds since 1970."),
    ReasonInfo(
      .badMessageID, .badRequest, .afterFix, on: .both,
      meaning: "apns-id is not a UUID.",
      advice: "Leave apns-id out, or give a UUID in lower case."),
    ReasonInfo(
      .badPriority, .badRequest, .afterFix, on: .both,
      meaning: "apns-priority is not allowed here.",
      advice: "Give \(Priority.choices); \(PushType.fixedPriorities)."),
    ReasonInfo(
      .badTopic, .badRequest, .afterFix,
      meaning: "apns-topic is malformed.",
      advice: "Give the bundle id, with the suffix of the push type."),
    ReasonInfo(
      .duplicateHeaders, .badRequest, .afterFix,
      meaning: "A header occurs more than once.",
      advice: "Give each header once."),
    ReasonInfo(
      .idleTimeout, .badRequest, .newConnection, needsNewConnection: true,
      meaning: "The connection was idle for too long.",
      advice: "Send it again on a new connection."),
    ReasonInfo(
      .invalidPushType, .badRequest, .afterFix, on: .both,
      meaning: "The push type is unknown, or does not go with the topic.",
      advice: "Give one of the known push types, and the topic suffix that belongs to it."),
    ReasonInfo(
      .missingDeviceToken, .badRequest, .afterFix,
      meaning: "The request's path has no device token.",
      advice: "Give a device token."),
    ReasonInfo(
      .missingTopic, .badRequest, .afterFix,
      meaning: "apns-topic is absent, and the certificate names more than one.",
      advice: "Give the bundle id or the topic."),
    ReasonInfo(
      .payloadEmpty, .badRequest, .afterFix, on: .both,
      meaning: "The request has no payload.",
      advice: "Give a payload."),
    ReasonInfo(
      .topicDisallowed, .badRequest, .afterFix, on: .both,
      meaning: "This key or certificate may not push to the topic.",
      advice: """
        Compare team id, key and bundle id, and the topic's suffix. After adding the app to the \
        key, start a new connection.
        """),
    ReasonInfo(
      .badPath, .notFound, .never, on: .both,
      meaning: "The request's path is wrong.",
      advice: "Check the server's URL: something between here and APNs may rewrite it."),
    ReasonInfo(
      .methodNotAllowed, .methodNotAllowed, .never, on: .both,
      meaning: "The request's method is not POST.",
      advice: "Check the server's URL: something between here and APNs may rewrite requests."),
    ReasonInfo(
      .payloadTooLarge, .tooLarge, .never, on: .both,
      meaning: "The payload is longer than its push type allows.",
      advice: "Shorten it to \(payloadLimits), or let the app fetch the rest."),
  ]

  private static let credentials: [ReasonInfo] = [
    ReasonInfo(
      .badCertificate, .forbidden, .credentials, on: .both, needsNewConnection: true,
      meaning: "The client certificate is not valid, or was revoked.",
      advice: "Make a new push certificate in the developer portal."),
    ReasonInfo(
      .badCertificateEnvironment, .forbidden, .credentials, on: .both, needsNewConnection: true,
      meaning: "The client certificate is for the other environment.",
      advice: "Choose the other environment, or a certificate for Sandbox & Production."),
    ReasonInfo(
      .expiredProviderToken, .forbidden, .newProviderToken, on: .both, needsNewConnection: true,
      meaning: "The provider token is more than an hour old.",
      advice: "Make a new one. If it was new, set this machine's clock."),
    ReasonInfo(
      .forbidden, .forbidden, .never,
      meaning: "The action is not permitted.",
      advice: "Check that the key or certificate was not revoked and may send pushes."),
    ReasonInfo(
      .invalidProviderToken, .forbidden, .credentials, on: .both, needsNewConnection: true,
      meaning: "The provider token is malformed, or its signature does not verify.",
      advice: """
        Compare key id and team id (they are easily swapped) with the key file, and set this \
        machine's clock.
        """),
    ReasonInfo(
      .missingProviderToken, .forbidden, .credentials, on: .both, needsNewConnection: true,
      meaning: "The request has neither a certificate nor a provider token.",
      advice: "Give a key, or a certificate together with its private key."),
    ReasonInfo(
      .unrelatedKeyID, .forbidden, .newConnection, needsNewConnection: true,
      meaning: "The key is not related to the one this connection began with.",
      advice: "Send it again on a new connection; use one key per connection.",
      source: Source.token),
    ReasonInfo(
      .badEnvironmentKeyID, .forbidden, .credentials, needsNewConnection: true,
      meaning: "The key may not be used in this environment.",
      advice: "Choose the other environment, or a key made for this one.",
      source: Source.token),
    ReasonInfo(
      .badEnvironmentKey, .forbidden, .credentials, needsNewConnection: true,
      meaning: "The key may not be used in this environment.",
      advice: "Choose the other environment, or a key made for this one.",
      source: Source.field),
  ]

  private static let deviceTokens: [ReasonInfo] = [
    ReasonInfo(
      .badDeviceToken, .badRequest, .never, deadToken: .candidate,
      meaning: "The device token is malformed, or belongs to the other environment.",
      advice: """
        Development builds have sandbox tokens; TestFlight and App Store builds production ones. \
        Try the other environment first.
        """),
    ReasonInfo(
      .deviceTokenNotForTopic, .badRequest, .never,
      meaning: "The device token belongs to another app or another kind of push.",
      advice: "Compare the bundle id and the push type's suffix with the app that made the token."),
    ReasonInfo(
      .expiredToken, .gone, .never, deadToken: .yes,
      meaning: "The device token has expired.",
      advice: "Remove it from the list; the app reports a new one."),
    ReasonInfo(
      .unregistered, .gone, .never, deadToken: .yes,
      meaning: "The device token is no longer active: most often the app was removed.",
      advice: "Remove it from the list, unless the app reported it again after the timestamp."),
  ]

  private static let limits: [ReasonInfo] = [
    ReasonInfo(
      .tooManyProviderTokenUpdates, .tooMany, .keepToken, on: .both,
      meaning: "Provider tokens are renewed more than once in 20 minutes.",
      advice: "Use one provider token for 20 to 60 minutes, in every process that sends."),
    ReasonInfo(
      .tooManyRequests, .tooMany, .slowToken, on: .both,
      meaning: "Too many pushes went to one device token.",
      advice: "Send to this device less often."),
  ]

  private static let server: [ReasonInfo] = [
    ReasonInfo(
      .internalServerError, .serverError, .later, on: .both,
      meaning: "An error happened inside APNs.",
      advice: "Try again after 15 minutes, then less often."),
    ReasonInfo(
      .serviceUnavailable, .unavailable, .later, on: .both,
      meaning: "APNs is not available.",
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
      advice: "Enable the Broadcast capability of the app id in the developer portal.",
      source: Source.broadcastErrors),
    ReasonInfo(
      .missingChannelID, .badRequest, .afterFix, on: .broadcast,
      meaning: "apns-channel-id is absent.",
      advice: "Give the channel's id.", source: Source.broadcastErrors),
    ReasonInfo(
      .badChannelID, .badRequest, .afterFix, on: .broadcast,
      meaning: "apns-channel-id is not base64, or too long.",
      advice: "Give the id exactly as APNs made it.", source: Source.broadcastErrors),
    ReasonInfo(
      .channelNotRegistered, .badRequest, .afterFix, on: .broadcast,
      meaning: "There is no such channel.",
      advice: "List the channels; one belongs to a single environment.",
      source: Source.broadcastErrors),
    ReasonInfo(
      .badRequestParams, .badRequest, .afterFix, on: .broadcast,
      meaning: "The body has an attribute APNs does not know.",
      advice: "Give message-storage-policy and push-type only.", source: Source.broadcastErrors),
    ReasonInfo(
      .badRequestPayload, .badRequest, .afterFix, on: .broadcast,
      meaning: "The body is not JSON.",
      advice: "Correct the body.", source: Source.broadcastErrors),
    ReasonInfo(
      .missingPushType, .badRequest, .afterFix, on: .broadcast,
      meaning: "The push type is absent.",
      advice: "Give liveactivity.", source: Source.broadcastErrors),
    ReasonInfo(
      .cannotCreateChannel, .badRequest, .afterFix, on: .broadcast,
      meaning: "The app has as many channels as it may have.",
      advice: "Delete channels that are no longer used.", source: Source.broadcastErrors),
    ReasonInfo(
      .missingChannelQueueSize, .badRequest, .afterFix, on: .broadcast,
      meaning: "A new channel does not say what it stores.",
      advice: "Give message-storage-policy 0 or 1.", source: Source.field),
    ReasonInfo(
      .topicMismatch, .forbidden, .credentials, on: .broadcast,
      meaning: "The key or certificate does not cover the app in the path.",
      advice: "Use the plain bundle id, and a key of its team.", source: Source.broadcastErrors),
  ]
}
