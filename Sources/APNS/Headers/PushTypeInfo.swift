/// What Apple says about one push type: a row of ``PushType/table``.
public struct PushTypeInfo: Sendable, Hashable {
  /// The push type.
  public let type: PushType
  /// What the topic has behind the bundle id, with its leading dot; empty for none.
  public let suffix: String
  /// Whether the suffix is an ordinary word that a bundle id may itself end in, so that finding it
  /// where it is not expected proves nothing.
  public let suffixIsCommonWord: Bool
  /// The priorities Apple names or does not speak against.
  public let priorities: [Priority]
  /// Priorities that Apple does not name but is not known to refuse. One that is neither here nor
  /// in ``priorities`` is an error.
  public let doubtfulPriorities: [Priority]
  /// The priority sent when none is given.
  public let defaultPriority: Priority
  /// The longest payload, in bytes as sent.
  public let payloadLimit: Int
  /// Whether the payload must hold an `aps` object.
  public let needsAPS: Bool
  /// How a sender of this type can sign in.
  public let authentication: Set<Authentication>
  /// What the type is for, in one line.
  public let summary: String
  /// The systems that take it, and since when.
  public let platforms: String
  /// The page that says so.
  public let source: String

  init(
    _ type: PushType, suffix: String = "", suffixIsCommonWord: Bool = false,
    priorities: [Priority] = Priority.allCases, doubtfulPriorities: [Priority] = [],
    defaultPriority: Priority = .immediate, payloadLimit: Int = 4096, needsAPS: Bool,
    authentication: Set<Authentication> = [.token, .certificate], summary: String,
    platforms: String, source: String = Source.sending
  ) {
    self.type = type
    self.suffix = suffix
    self.suffixIsCommonWord = suffixIsCommonWord
    self.priorities = priorities
    self.doubtfulPriorities = doubtfulPriorities
    self.defaultPriority = defaultPriority
    self.payloadLimit = payloadLimit
    self.needsAPS = needsAPS
    self.authentication = authentication
    self.summary = summary
    self.platforms = platforms
    self.source = source
  }
}

extension PushTypeInfo {
  /// Whether a simulator takes a push of this type from an `.apns` file: only those that every app
  /// can get (help of `simctl push`).
  public var isTakenByFile: Bool { type == .alert || type == .background }
}
