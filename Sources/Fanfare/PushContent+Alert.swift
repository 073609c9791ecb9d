internal import APNS
internal import JSONText

extension PushContent {
  /// An alert.
  ///
  /// - Parameters:
  ///   - title: the title.
  ///   - subtitle: the line below the title.
  ///   - body: the text.
  ///   - badge: the number on the app's icon; 0 removes it, nil leaves it.
  ///   - sound: the sound; nil makes none.
  ///   - threadID: groups notifications.
  ///   - category: selects the actions and the look that the app has registered.
  ///   - interruptionLevel: whether it may light up the screen, or break through Focus; nil for
  ///     `active`.
  ///   - relevanceScore: its place in a summary, from 0 to 1.
  ///   - mutableContent: lets the app's extension change it before it is shown.
  public static func alert(
    title: String? = nil, subtitle: String? = nil, body: String? = nil, badge: Int? = nil,
    sound: Sound? = nil, threadID: String? = nil, category: String? = nil,
    interruptionLevel: InterruptionLevel? = nil, relevanceScore: Double? = nil,
    mutableContent: Bool = false
  ) -> PushContent {
    var (alert, aps) = (JSONObject(), JSONObject())
    alert.add("title", title)
    alert.add("subtitle", subtitle)
    alert.add("body", body)
    if !alert.members.isEmpty { aps["alert"] = JSON(.object(alert)) }
    aps.add("badge", badge.map { JSON(integerLiteral: $0) })
    aps.add("sound", sound?.json)
    aps.add("thread-id", threadID)
    aps.add("category", category)
    aps.add("interruption-level", interruptionLevel?.rawValue)
    aps.add("relevance-score", relevanceScore)
    if mutableContent { aps["mutable-content"] = 1 }
    return PushContent(.alert, aps: aps)
  }

  /// Returns the alert with texts that the device takes from the app, in its user's language. A
  /// text without a key stays as it is.
  public func localized(
    title: LocalizedText? = nil, subtitle: LocalizedText? = nil, body: LocalizedText? = nil
  ) -> PushContent {
    var alert = payload.aps?["alert"]?.object ?? JSONObject()
    for (text, prefix) in [(title, "title-"), (subtitle, "subtitle-"), (body, "")] {
      guard let text else { continue }
      alert["\(prefix)loc-key"] = JSON(.string(text.key))
      if !text.arguments.isEmpty { alert["\(prefix)loc-args"] = text.argumentList }
    }
    return addingToAPS("alert", JSON(.object(alert)))
  }
}

extension PushContent {
  /// A text in the app's files, with the values for its placeholders.
  public struct LocalizedText: Sendable, Hashable {
    /// The key in the app's `Localizable.strings`.
    public var key: String
    /// The values for `%@` in the text, in order.
    public var arguments: [String]

    /// Creates a text.
    public init(_ key: String, _ arguments: String...) {
      (self.key, self.arguments) = (key, arguments)
    }

    var argumentList: JSON { JSON(.array(arguments.map { JSON(.string($0)) })) }

    /// The text as a Live Activity has it.
    var json: JSON {
      arguments.isEmpty
        ? ["loc-key": "\(key)"] : ["loc-key": "\(key)", "loc-args": argumentList]
    }
  }

  /// A sound: a string literal is the name of a file in the app.
  public struct Sound: Sendable, Hashable, ExpressibleByStringLiteral {
    let json: JSON

    /// The system's usual sound.
    public static let `default` = Sound("default")

    /// Creates the sound with the name of a file in the app.
    public init(_ name: String) { json = JSON(.string(name)) }

    /// Creates the sound with the name of a file in the app.
    public init(stringLiteral name: String) { self.init(name) }

    private init(json: JSON) { self.json = json }

    /// A sound that is heard in silent mode too, for which Apple has to entitle the app.
    ///
    /// - Parameters:
    ///   - name: the name of a file in the app, or `default`.
    ///   - volume: 0 to 1; nil for full volume.
    public static func critical(_ name: String = "default", volume: Double? = nil) -> Sound {
      var sound: JSONObject = JSONObject()
      sound["critical"] = 1
      sound.add("name", name)
      sound.add("volume", volume)
      return Sound(json: JSON(.object(sound)))
    }
  }

  /// The importance of an alert. An open set: a level that is newer than this package is made with
  /// its word.
  public struct InterruptionLevel: RawRepresentable, Sendable, Hashable {
    /// The word in the payload.
    public let rawValue: String

    /// Creates a level.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Joins the list, without light or sound.
    public static let passive = Self(rawValue: "passive")
    /// Shown at once; the usual level.
    public static let active = Self(rawValue: "active")
    /// Shown at once, through a Focus too.
    public static let timeSensitive = Self(rawValue: "time-sensitive")
    /// Heard in silent mode, for which Apple has to entitle the app.
    public static let critical = Self(rawValue: "critical")
  }
}
