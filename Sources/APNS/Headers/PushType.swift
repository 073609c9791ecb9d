/// What kind of push a notification is: the value of `apns-push-type`.
///
/// An open set: a type newer than this tool keeps its text. What is known of a type is its row in
/// ``table``.
public struct PushType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The type's text on the wire.
  public let rawValue: String

  /// A push type by its text; nil unless it is 1 to 64 visible ASCII characters.
  public init?(rawValue: String) {
    guard 1...64 ~= rawValue.utf8.count, rawValue.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      return nil
    }
    self.rawValue = rawValue
  }

  private init(known text: String) { rawValue = text }

  /// Shows an alert, plays a sound or sets a badge.
  public static let alert = Self(known: "alert")
  /// Wakes the app for a moment without showing anything.
  public static let background = Self(known: "background")
  /// Announces a call to a PushKit app.
  public static let voip = Self(known: "voip")
  /// Updates a watchOS complication.
  public static let complication = Self(known: "complication")
  /// Tells a File Provider extension that something changed.
  public static let fileprovider = Self(known: "fileprovider")
  /// Asks a managed device to contact its MDM server.
  public static let mdm = Self(known: "mdm")
  /// Asks a location push extension where the device is.
  public static let location = Self(known: "location")
  /// Starts, updates or ends a Live Activity.
  public static let liveactivity = Self(known: "liveactivity")
  /// Announces speech in a Push to Talk channel.
  public static let pushtotalk = Self(known: "pushtotalk")
  /// Reloads controls.
  public static let controls = Self(known: "controls")
  /// Reloads widgets.
  public static let widgets = Self(known: "widgets")

  /// The type's row in ``table``; nil when this tool does not know the type.
  public var info: PushTypeInfo? { Self.info(named: rawValue) }

  /// The row of a type by its text; nil when this tool does not know the type.
  static func info(named text: String) -> PushTypeInfo? {
    names.firstIndex(of: text).map { table[$0] }
  }

  private static let names = table.map(\.type.rawValue)

  /// The type's text on the wire.
  public var description: String { rawValue }
}

/// How a sender proves who it is.
public enum Authentication: String, Sendable, Hashable, CaseIterable {
  /// A provider token, signed with a `.p8` key.
  case token
  /// A client certificate, from a `.p12` file.
  case certificate
}
