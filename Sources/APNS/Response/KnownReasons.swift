extension Reason {
  /// 400: the collapse ID is too long.
  public static let badCollapseID = Reason(known: "BadCollapseId")
  /// 400: the device token is malformed, or from the other environment.
  public static let badDeviceToken = Reason(known: "BadDeviceToken")
  /// 400: the expiration is not a time.
  public static let badExpirationDate = Reason(known: "BadExpirationDate")
  /// 400: the `apns-id` is not a UUID.
  public static let badMessageID = Reason(known: "BadMessageId")
  /// 400: the priority is not 10, 5 or 1.
  public static let badPriority = Reason(known: "BadPriority")
  /// 400: the topic is malformed.
  public static let badTopic = Reason(known: "BadTopic")
  /// 400: the device token belongs to another app.
  public static let deviceTokenNotForTopic = Reason(known: "DeviceTokenNotForTopic")
  /// 400: a header occurs twice.
  public static let duplicateHeaders = Reason(known: "DuplicateHeaders")
  /// 400: the connection was idle for too long.
  public static let idleTimeout = Reason(known: "IdleTimeout")
  /// 400: the push type is unknown or does not match the topic.
  public static let invalidPushType = Reason(known: "InvalidPushType")
  /// 400: the path has no device token.
  public static let missingDeviceToken = Reason(known: "MissingDeviceToken")
  /// 400: there is no topic.
  public static let missingTopic = Reason(known: "MissingTopic")
  /// 400: there is no payload.
  public static let payloadEmpty = Reason(known: "PayloadEmpty")
  /// 400: the sender is not allowed to push to the topic.
  public static let topicDisallowed = Reason(known: "TopicDisallowed")
  /// 403: the certificate is invalid.
  public static let badCertificate = Reason(known: "BadCertificate")
  /// 403: the certificate is for the other environment.
  public static let badCertificateEnvironment = Reason(known: "BadCertificateEnvironment")
  /// 403: the provider token is more than an hour old by APNs' clock.
  public static let expiredProviderToken = Reason(known: "ExpiredProviderToken")
  /// 403: the action is not permitted.
  public static let forbidden = Reason(known: "Forbidden")
  /// 403: the provider token is malformed or does not verify.
  public static let invalidProviderToken = Reason(known: "InvalidProviderToken")
  /// 403: there is neither a certificate nor a provider token.
  public static let missingProviderToken = Reason(known: "MissingProviderToken")
  /// 403: the key differs from the first one used on this connection.
  public static let unrelatedKeyID = Reason(known: "UnrelatedKeyIdInToken")
  /// 403: the key is for the other environment, in Apple's spelling.
  public static let badEnvironmentKeyID = Reason(known: "BadEnvironmentKeyIdInToken")
  /// 403: the key is for the other environment, in the spelling that APNs actually sends.
  public static let badEnvironmentKey = Reason(known: "BadEnvironmentKeyInToken")
  /// 404: the path is wrong.
  public static let badPath = Reason(known: "BadPath")
  /// 405: the method is not POST.
  public static let methodNotAllowed = Reason(known: "MethodNotAllowed")
  /// 410: the device token expired.
  public static let expiredToken = Reason(known: "ExpiredToken")
  /// 410: the device token is no longer active for the topic.
  public static let unregistered = Reason(known: "Unregistered")
  /// 413: the payload is too long.
  public static let payloadTooLarge = Reason(known: "PayloadTooLarge")
  /// 429: provider tokens are renewed too often.
  public static let tooManyProviderTokenUpdates = Reason(known: "TooManyProviderTokenUpdates")
  /// 429: too many pushes to one device token.
  public static let tooManyRequests = Reason(known: "TooManyRequests")
  /// 500: an error inside APNs.
  public static let internalServerError = Reason(known: "InternalServerError")
  /// 503: the service is unavailable.
  public static let serviceUnavailable = Reason(known: "ServiceUnavailable")
  /// 503: this server is shutting down.
  public static let shutdown = Reason(known: "Shutdown")
}

extension Reason {
  /// 400: broadcast is not enabled for the app.
  public static let featureNotEnabled = Reason(known: "FeatureNotEnabled")
  /// 400: the channel ID is absent.
  public static let missingChannelID = Reason(known: "MissingChannelId")
  /// 400: the channel ID is malformed.
  public static let badChannelID = Reason(known: "BadChannelId")
  /// 400: there is no such channel.
  public static let channelNotRegistered = Reason(known: "ChannelNotRegistered")
  /// 400: the body has an unknown attribute.
  public static let badRequestParams = Reason(known: "BadRequestParams")
  /// 400: the body is not JSON.
  public static let badRequestPayload = Reason(known: "BadRequestPayload")
  /// 400: the push type is absent.
  public static let missingPushType = Reason(known: "MissingPushType")
  /// 400: the app has reached its channel limit.
  public static let cannotCreateChannel = Reason(known: "CannotCreateChannelConfig")
  /// 400: a new channel lacks a storage policy.
  public static let missingChannelQueueSize = Reason(known: "MissingChannelQueueSize")
  /// 403: the credentials do not cover the app in the path.
  public static let topicMismatch = Reason(known: "TopicMismatch")
}
