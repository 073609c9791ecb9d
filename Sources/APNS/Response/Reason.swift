/// The reason APNs rejected a push. An open set: unknown strings survive a round trip.
public struct Reason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The maximum length of the string, in bytes.
  package static let maximumLength = 64

  /// The string on the wire.
  public let rawValue: String

  /// Creates a reason; nil unless the string is 1 to 64 printable ASCII characters and not only
  /// spaces, so that a reason can be shown and stored as it is.
  public init?(rawValue: String) {
    guard Self.isPrintable(rawValue.utf8) else { return nil }
    self.rawValue = rawValue
  }

  /// Creates a reason from bytes, under the same conditions. A known reason is not copied.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let candidates = bytes.count < Self.byLength.count ? Self.byLength[bytes.count] : []
    if let known = candidates.first(where: { $0.rawValue.utf8.elementsEqual(bytes) }) {
      self = known
    } else {
      guard Self.isPrintable(bytes) else { return nil }
      rawValue = String(decoding: bytes, as: UTF8.self)
    }
  }

  init(known word: String) { rawValue = word }

  /// Creates a reason from any string: unprintable characters are written as `\u{1b}`, and a string
  /// that is too long ends in dots. Nil if there is nothing to show.
  package init?(escaping word: some StringProtocol) {
    let parts = word.unicodeScalars.map {
      0x20...0x7E ~= $0.value ? String($0) : "\\u{" + String($0.value, radix: 16) + "}"
    }
    let whole = parts.joined()
    self.init(rawValue: whole.utf8.count <= Self.maximumLength ? whole : Self.shortened(parts))
  }

  private static func shortened(_ parts: [String]) -> String {
    var text = ""
    for part in parts {
      guard text.utf8.count + part.utf8.count <= maximumLength - 3 else { break }
      text += part
    }
    return text + "..."
  }

  /// The string on the wire.
  public var description: String { rawValue }

  private static func isPrintable(_ bytes: some Collection<UInt8>) -> Bool {
    1...maximumLength ~= bytes.count && bytes.allSatisfy { 0x20...0x7E ~= $0 }
      && bytes.contains { $0 != 0x20 }
  }

  private static let byLength: [[Reason]] = (0...maximumLength).map { length in
    table.map(\.reason).filter { $0.rawValue.utf8.count == length }
  }
}

extension Reason {
  /// The reason's row in ``table``; nil if it is unknown.
  package var info: ReasonInfo? { Self.rows[self] }

  private static let rows = Dictionary(
    table.map { ($0.reason, $0) }, uniquingKeysWith: { first, _ in first })
}

/// The facts about one reason: a row of ``Reason/table``.
public struct ReasonInfo: Sendable, Hashable {
  /// The reason.
  public let reason: Reason
  /// The status it comes with.
  public let status: Status
  /// The requests that are rejected with it.
  public let scope: RequestScope
  /// The condition for resending the push.
  public let retry: RetryClass
  /// True if the connection is no longer usable.
  public let needsNewConnection: Bool
  /// The verdict on the device token.
  public let deadToken: DeadToken
  /// The meaning, in one line.
  public let meaning: String
  /// The advice on it.
  public let advice: String
  /// The Apple page that documents it.
  public let source: String

  init(
    _ reason: Reason, _ status: Status, _ retry: RetryClass, on scope: RequestScope = .device,
    needsNewConnection: Bool = false, deadToken: DeadToken = .no, meaning: String,
    advice: String, source: String = Source.responses
  ) {
    self.reason = reason
    self.status = status
    self.scope = scope
    self.retry = retry
    self.needsNewConnection = needsNewConnection
    self.deadToken = deadToken
    self.meaning = meaning
    self.advice = advice
    self.source = source
  }
}

/// The condition for resending a push that was not accepted.
public enum RetryClass: String, Sendable, Hashable, CaseIterable {
  /// The push cannot succeed.
  case never
  /// The request has to be fixed; every push of the run is likely to fail the same way.
  case afterFix
  /// The key or certificate has to be fixed; every push will fail until then.
  case credentials
  /// Resend immediately on a new connection.
  case newConnection
  /// Resend immediately with a new provider token, on a new connection.
  case newProviderToken
  /// Keep the current provider token and wait; a new one would make it worse.
  case keepToken
  /// Send to this device token more slowly.
  case slowToken
  /// Resend much later: Apple asks for 15 minutes, then longer.
  case later

  /// The class for a status alone, without a known reason; nil for 200.
  public init?(_ status: Status) {
    switch status.rawValue {
    case 200: return nil
    case 403: self = .credentials
    case 404, 405, 410, 413: self = .never
    case 429: self = .slowToken
    case 408: self = .later
    case 400..<500: self = .afterFix
    default: self = .later
    }
  }
}

/// The verdict of an answer on a device token.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum DeadToken: String, Sendable, Hashable, CaseIterable {
  /// The answer says nothing about the token.
  case no
  /// The token is dead, unless the app registered it again after the answer's timestamp.
  case yes
  /// The token may be dead, but a wrong environment or topic gives the same answer for every token.
  case candidate
}

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
