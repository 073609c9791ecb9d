/// The kind of push: the value of `apns-push-type`.
///
/// An open set: a type newer than this tool keeps its text. The facts about a known type are its
/// row in ``table``.
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

  /// The type's row in ``table``; nil for an unknown type.
  public var info: PushTypeInfo? { Self.info(named: rawValue) }

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
