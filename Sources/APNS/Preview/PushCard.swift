public import JSONText

/// A preview of a push on a device.
public struct PushCard: Sendable, Hashable {
  /// The effect of the push on the device.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A notification on the lock screen.
    case notification
    /// A Live Activity that starts, changes or ends.
    case liveActivity
    /// An incoming call, which the app reports.
    case call
    /// Nothing on the screen; the app is woken.
    case background
    /// Nothing visible.
    case none
  }

  /// The effect on the device.
  public let kind: Kind
  /// The texts; nil if it shows none.
  public let alert: AlertText?
  /// A note on the effect, or on why nothing is shown; nil if there is nothing to add.
  public let why: String?
  /// The collapse ID, which replaces an earlier notification with the same one; nil for none.
  public let collapseID: String?
  /// The app's bundle ID, derived from the topic or path; nil if they do not name an app.
  public let app: String?
  private let aps: JSON?

  /// Creates the preview of a draft.
  public init(_ draft: Draft) {
    let type = draft.judgedPushType
    let json = draft.payload?.json ?? nil
    let isForWallet = draft.topic.map(Topic.isOfWallet) ?? false
    let hasAlert = [.alert, .liveactivity, nil].contains(type) && !isForWallet
    alert = hasAlert ? AlertText(json) : nil
    kind = Kind(type, isEmpty: alert == nil)
    why = isForWallet ? Self.wallet : Self.why(type, isEmpty: alert == nil)
    collapseID = draft.collapseID
    app = draft.app?.value ?? draft.topic.flatMap { Self.app($0, type?.info) }
    aps = json["aps"]
  }

  private static func app(_ topic: String, _ info: PushTypeInfo?) -> String? {
    if info?.usesBundleID == false { return nil }
    guard let suffix = info?.suffix, topic.hasSuffix(suffix) else { return topic }
    return String(topic.dropLast(suffix.count))
  }

  private static let wallet = "Nothing is shown: Wallet asks its web service for the update."

  private static func why(_ type: PushType?, isEmpty: Bool) -> String? {
    switch type {
    case .voip: "The app has to report a call to CallKit at once, and says itself who calls."
    case .background: "Nothing is shown: the push wakes the app in the background."
    case .liveactivity:
      isEmpty
        ? "The Live Activity changes without lighting the screen: there is no alert."
        : "The alert lights the screen and expands the Live Activity."
    case .alert, nil: isEmpty ? "No banner: there is no text to show." : nil
    default: "Nothing is shown by itself. " + (type?.info?.summary ?? "")
    }
  }
}

// Other facts from the payload.
extension PushCard {
  /// The number on the app's icon; nil leaves it unchanged, 0 removes it.
  public var badge: JSONNumber? { aps?["badge"]?.number }
  /// The sound as written; nil for none. In a Live Activity it is part of the alert.
  public var sound: JSON? { aps?["sound"] ?? aps?["alert"]?["sound"] }
  /// The sound's file, or `default`; nil for none.
  public var soundName: String? { sound.map { $0.string ?? $0["name"]?.string ?? "default" } }
  /// True if the sound also plays in silent mode.
  public var isCritical: Bool { sound?["critical"]?.number?.int == 1 }
  /// The interruption level; nil if not specified.
  public var interruptionLevel: String? { aps?["interruption-level"]?.string }
  /// The thread that the notification is grouped by; nil for none.
  public var threadID: String? { aps?["thread-id"]?.string }
  /// The category, for which the app defines action buttons; nil for none.
  public var category: String? { aps?["category"]?.string }
  /// The event of a Live Activity: `start`, `update` or `end`; nil for none.
  public var event: String? { aps?["event"]?.string }
  /// The state of a Live Activity; nil if not specified.
  public var state: JSON? { aps?["content-state"] }
  /// The time at which a Live Activity becomes stale, in seconds since 1970; nil if not specified.
  public var staleDate: JSONNumber? { aps?["stale-date"]?.number }
}

extension PushCard.Kind: JSONWord {
  fileprivate init(_ type: PushType?, isEmpty: Bool) {
    switch type {
    case .alert, nil: self = isEmpty ? .none : .notification
    case .liveactivity: self = .liveActivity
    case .voip: self = .call
    case .background: self = .background
    default: self = .none
    }
  }

  /// True if something is visible.
  public var isVisible: Bool { [.notification, .liveActivity, .call].contains(self) }
}

/// The texts of an alert as written, in full.
public struct AlertText: Sendable, Hashable {
  /// The title; nil if there is none.
  public let title: String?
  /// The subtitle; nil if there is none.
  public let subtitle: String?
  /// The body; nil if there is none.
  public let body: String?

  /// Extracts the texts of a payload; nil if there is none to show. A text from the app's localized
  /// strings appears as `[KEY: argument, argument]`.
  public init?(_ payload: JSON) {
    guard let alert = payload["aps"]?["alert"] else { return nil }
    title = Self.text(alert["title"], key: "title-loc-key", in: alert)
    subtitle = Self.text(alert["subtitle"], key: "subtitle-loc-key", in: alert)
    body = Self.text(alert.string == nil ? alert["body"] : alert, key: "loc-key", in: alert)
    if title == nil, subtitle == nil, body == nil { return nil }
  }

  private static func text(_ value: JSON?, key: String, in alert: JSON) -> String? {
    if let text = value?.string { return text.isEmpty ? nil : text }
    // In a Live Activity the text may be an object that contains the key.
    let (holder, name) = value?.object == nil ? (alert, key) : (value ?? alert, "loc-key")
    guard let localized = holder[name]?.string else { return nil }
    let arguments = holder[name.dropLast(3) + "args"]?.array ?? []
    let words = arguments.map { $0.string ?? $0.encodedString() }
    return words.isEmpty ? "[\(localized)]" : "[\(localized): \(words.joined(separator: ", "))]"
  }
}
