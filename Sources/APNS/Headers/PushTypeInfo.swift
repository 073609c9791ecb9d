/// What Apple says about one push type: a row of ``PushType/table``.
public struct PushTypeInfo: Sendable, Hashable {
  /// The push type.
  public let type: PushType
  /// What the topic has behind the bundle ID, with its leading dot; empty for none.
  public let suffix: String
  /// Whether the suffix is an ordinary word that a bundle ID may itself end in, so that finding it
  /// where it is not expected proves nothing.
  public let suffixIsCommonWord: Bool
  /// Whether the topic is made of the app's bundle ID; otherwise it is the client certificate's.
  public let usesBundleID: Bool
  /// The priorities Apple names or does not speak against.
  public let priorities: [Priority]
  /// Priorities that Apple does not name but is not known to refuse. One that is neither here nor
  /// in ``priorities`` is an error.
  public let doubtfulPriorities: [Priority]
  /// Whether a push of this type is of no use once it is late (Apple: PushKit).
  public let isUrgent: Bool
  /// The priority sent when none is given.
  public let defaultPriority: Priority
  /// The longest payload, in bytes as sent.
  public let payloadLimit: Int
  /// Whether the payload must hold an `aps` object.
  public let needsAPS: Bool
  /// The key that a push of this type is about, by its path in ``PayloadKey/table``; nil for none.
  public let ownKey: String?
  /// Whether a registration of its own gives the device token, which is another than the app's.
  public let hasOwnToken: Bool
  /// Whether a simulator takes a push of this type from an `.apns` file (help of `simctl push`).
  public let isTakenByFile: Bool
  /// Whether a universal push certificate that lists no topics is good for this type.
  public let isInUniversalCertificate: Bool
  /// The credentials that can send a push of this type.
  public let authentication: Set<Authentication>
  /// What the type is for, in one line.
  public let summary: String
  /// The systems that take it, and since when.
  public let platforms: String
  /// The page that says so.
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
