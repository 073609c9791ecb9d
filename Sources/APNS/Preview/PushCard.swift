public import JSONText

/// What a device would show of a push.
public struct PushCard: Sendable, Hashable {
  /// What the push becomes on the device.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A notification on the lock screen.
    case notification
    /// A Live Activity that starts, changes or ends.
    case liveActivity
    /// An incoming call, which the app reports.
    case call
    /// Nothing on the screen: the app is woken.
    case background
    /// Nothing that can be seen.
    case none
  }

  /// What it becomes.
  public let kind: Kind
  /// Its texts; nil when it shows none.
  public let alert: AlertText?
  /// What there is to know beside what is shown, or why nothing is; nil when that is all.
  public let why: String?
  /// The collapse ID: an earlier notification with the same one is replaced; nil for none.
  public let collapseID: String?
  /// The app's bundle ID, as far as the topic or the path tells; nil when it names none.
  public let app: String?
  private let aps: JSON?

  /// The card of a draft.
  public init(_ draft: Draft) {
    let type = draft.judgedPushType
    let json = draft.payload?.json ?? nil
    alert = [.alert, .liveactivity, nil].contains(type) ? AlertText(json) : nil
    kind = Kind(type, isEmpty: alert == nil)
    why = Self.why(type, isEmpty: alert == nil)
    collapseID = draft.collapseID
    app = draft.app?.value ?? draft.topic.flatMap { Self.app($0, type?.info) }
    aps = json["aps"]
  }

  private static func app(_ topic: String, _ info: PushTypeInfo?) -> String? {
    if info?.usesBundleID == false { return nil }
    guard let suffix = info?.suffix, topic.hasSuffix(suffix) else { return topic }
    return String(topic.dropLast(suffix.count))
  }

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

// What the payload says beside the texts.
extension PushCard {
  /// The number on the app's icon; nil when it stays, 0 when it goes.
  public var badge: JSONNumber? { aps?["badge"]?.number }
  /// The sound as it is written; nil for none. In a Live Activity it is part of the alert.
  public var sound: JSON? { aps?["sound"] ?? aps?["alert"]?["sound"] }
  /// The sound's file, or `default`; nil for none.
  public var soundName: String? { sound.map { $0.string ?? $0["name"]?.string ?? "default" } }
  /// Whether the sound plays in silent mode, too.
  public var isCritical: Bool { sound?["critical"]?.number?.int == 1 }
  /// The interruption level; nil when it is not said.
  public var interruptionLevel: String? { aps?["interruption-level"]?.string }
  /// What it is grouped with; nil for nothing.
  public var threadID: String? { aps?["thread-id"]?.string }
  /// The category, which the app gives buttons; nil for none.
  public var category: String? { aps?["category"]?.string }
  /// The event of a Live Activity: `start`, `update` or `end`; nil for none.
  public var event: String? { aps?["event"]?.string }
  /// The state of a Live Activity; nil when it is not said.
  public var state: JSON? { aps?["content-state"] }
  /// When a Live Activity is out of date, in seconds since 1970; nil when it is not said.
  public var staleDate: JSONNumber? { aps?["stale-date"]?.number }
}

extension PushCard.Kind {
  fileprivate init(_ type: PushType?, isEmpty: Bool) {
    switch type {
    case .alert, nil: self = isEmpty ? .none : .notification
    case .liveactivity: self = .liveActivity
    case .voip: self = .call
    case .background: self = .background
    default: self = .none
    }
  }

  /// Whether there is something to see.
  public var isVisible: Bool { [.notification, .liveActivity, .call].contains(self) }
}
