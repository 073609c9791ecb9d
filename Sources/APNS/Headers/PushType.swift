/// The kind of push: the value of `apns-push-type`.
///
/// An open set: a type newer than this tool keeps its text. The facts about a known type are its
/// row in `table`.
public struct PushType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The type's text on the wire.
  public let rawValue: String

  /// Creates a push type; nil unless the text is 1 to 64 visible ASCII characters.
  public init?(rawValue: String) {
    guard 1...64 ~= rawValue.utf8.count, rawValue.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      return nil
    }
    self.rawValue = rawValue
  }

  private init(known text: String) { rawValue = text }

  /// Shows an alert, plays a sound or sets a badge.
  public static let alert = Self(known: "alert")
  /// Briefly wakes the app without showing anything.
  public static let background = Self(known: "background")
  /// Announces a call to a PushKit app.
  public static let voip = Self(known: "voip")
  /// Updates a watchOS complication.
  public static let complication = Self(known: "complication")
  /// Notifies a File Provider extension of a change.
  public static let fileprovider = Self(known: "fileprovider")
  /// Asks a managed device to contact its MDM server.
  public static let mdm = Self(known: "mdm")
  /// Asks a location push extension for the device's location.
  public static let location = Self(known: "location")
  /// Starts, updates or ends a Live Activity.
  public static let liveactivity = Self(known: "liveactivity")
  /// Announces speech in a Push to Talk channel.
  public static let pushtotalk = Self(known: "pushtotalk")
  /// Reloads controls.
  public static let controls = Self(known: "controls")
  /// Reloads widgets.
  public static let widgets = Self(known: "widgets")

  /// The type's row in `table`; nil for an unknown type.
  package var info: PushTypeInfo? { Self.info(named: rawValue) }

  /// The row of a type by its text; nil for an unknown type.
  static func info(named text: String) -> PushTypeInfo? {
    names.firstIndex(of: text).map { table[$0] }
  }

  private static let names = table.map(\.type.rawValue)

  /// The type's text on the wire.
  public var description: String { rawValue }
}

/// The way a sender authenticates.
public enum Authentication: String, Sendable, Hashable, CaseIterable {
  /// A provider token, signed with a `.p8` key.
  case token
  /// A client certificate, from a `.p12` file.
  case certificate
}

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
  /// Those of them of which Apple staff says that they cannot.
  public let doubtfulAuthentication: Set<Authentication>
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
    authentication: Set<Authentication> = [.token, .certificate],
    doubtfulAuthentication: Set<Authentication> = [], summary: String,
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
    self.doubtfulAuthentication = doubtfulAuthentication
    self.summary = summary
    self.platforms = platforms
    self.source = source
  }
}
