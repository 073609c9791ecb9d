/// Apple's rules for one push type: a row of ``PushType/table``.
public struct PushTypeInfo: Sendable, Hashable {
  /// The push type.
  public let type: PushType
  /// The topic's suffix after the bundle ID, with its leading dot; empty for none.
  public let suffix: String
  /// True if the suffix is an ordinary word in which a bundle ID may itself end, so that its
  /// presence does not prove the push type.
  public let suffixIsCommonWord: Bool
  /// True if the topic is based on the bundle ID; otherwise it is the client certificate's.
  public let usesBundleID: Bool
  /// The priorities that Apple names or does not advise against.
  public let priorities: [Priority]
  /// Priorities that Apple does not name but is not known to reject. Any priority in neither this
  /// list nor ``priorities`` is an error.
  public let doubtfulPriorities: [Priority]
  /// True if a late push of this type is useless (Apple: PushKit).
  public let isUrgent: Bool
  /// The priority sent by default.
  public let defaultPriority: Priority
  /// The maximum payload size, in bytes as sent.
  public let payloadLimit: Int
  /// True if the payload requires an `aps` object.
  public let needsAPS: Bool
  /// The defining key of this push type, by its path in ``PayloadKey/table``; nil for none.
  public let ownKey: String?
  /// True if the device token comes from a separate registration and differs from the app's token.
  public let hasOwnToken: Bool
  /// True if simulators accept this push type from an `.apns` file (help of `simctl push`).
  public let isTakenByFile: Bool
  /// True if a universal push certificate without a topic list covers this type.
  public let isInUniversalCertificate: Bool
  /// The credentials that can send a push of this type.
  public let authentication: Set<Authentication>
  /// The purpose, in one line.
  public let summary: String
  /// The systems that support it, with their versions.
  public let platforms: String
  /// The Apple page that documents it.
  public let source: String

  init(
    _ type: PushType, suffix: String = "", suffixIsCommonWord: Bool = false,
    usesBundleID: Bool = true, priorities: [Priority] = Priority.allCases,
    doubtfulPriorities: [Priority] = [], isUrgent: Bool = false,
    defaultPriority: Priority = .immediate, payloadLimit: Int = PushType.usualPayloadLimit,
    needsAPS: Bool, ownKey: String? = nil, hasOwnToken: Bool = false, isTakenByFile: Bool = false,
    isInUniversalCertificate: Bool = false,
    authentication: Set<Authentication> = [.token, .certificate], summary: String,
    platforms: String, source: String = Source.sending
  ) {
    self.type = type
    self.suffix = suffix
    self.suffixIsCommonWord = suffixIsCommonWord
    self.usesBundleID = usesBundleID
    self.priorities = priorities
    self.doubtfulPriorities = doubtfulPriorities
    self.isUrgent = isUrgent
    self.defaultPriority = defaultPriority
    self.payloadLimit = payloadLimit
    self.needsAPS = needsAPS
    self.ownKey = ownKey
    self.hasOwnToken = hasOwnToken
    self.isTakenByFile = isTakenByFile
    self.isInUniversalCertificate = isInUniversalCertificate
    self.authentication = authentication
    self.summary = summary
    self.platforms = platforms
    self.source = source
  }
}
