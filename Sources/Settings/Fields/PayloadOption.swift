package import APNS
package import JSONText

/// An option that changes the payload, as `--set` does: a row of ``table``.
package struct PayloadOption: Sendable {
  /// The form of the value, on the command line and in the history.
  package enum Form: Sendable {
    /// `PATH=TEXT` or `PATH:=JSON`, repeatable.
    case changes
    case text
    /// Text or a JSON array of texts, repeatable.
    case texts
    case wholeNumber
    case number
    /// An interruption level.
    case level
    /// A ``APNS/LiveActivityEvent``.
    case event
    case object
    /// A time, in a form for `Expiration`, or with placeholders.
    case moment
    /// No value: the key is 1.
    case yes
    /// Optional: the volume of a critical sound.
    case volume
    /// `KEY=JSON`, repeatable.
    case members

    /// True if the option may be repeated. The value is then an array.
    package var isRepeatable: Bool {
      switch self {
      case .changes, .texts, .members: true
      default: false
      }
    }

    /// The type of the value in the history.
    var type: any SettingValue.Type {
      switch self {
      case .changes: [PayloadChange].self
      case .text, .level, .moment: String.self
      case .texts: [String].self
      case .wholeNumber: Int.self
      case .number: JSONNumber.self
      case .event: LiveActivityEvent.self
      case .object: JSON.self
      case .yes: Bool.self
      case .volume: CriticalSound.self
      case .members: [JSONMember].self
      }
    }
  }

  /// The long name, without dashes.
  package let name: String
  /// The name in the history.
  package let key: String
  /// The path in the payload; empty if the value names it.
  package let path: String
  package let form: Form
  /// The value's placeholder in help; empty without a value.
  package let placeholder: String
  package let help: String
  /// The names in the history of options that say the same in another way: those of a lower layer
  /// give way.
  let replaced: [String]

  private init(
    _ name: String, kept key: String? = nil, sets path: String = "", _ form: Form = .text,
    value: String = "", help: String, replacing replaced: [String] = []
  ) {
    (self.name, self.key, self.path) = (name, key ?? name, path)
    (self.form, self.placeholder, self.help) = (form, value, help)
    self.replaced = replaced
  }

  /// It sets a key of Live Activities.
  package var isOfActivity: Bool { PayloadKey.isOfActivity(path) }

  /// The changes for a value in the form of the history.
  ///
  /// - Parameter now: seconds since 1970, for a time from now.
  fileprivate func changes(_ value: JSON, now: Int64) -> [PayloadChange] {
    let keys = path.split(separator: ".").map(String.init)
    switch form {
    case .changes:
      return [PayloadChange](json: value) ?? []
    case .members:
      return ([JSONMember](json: value) ?? []).map { PayloadChange([$0.key], to: $0.value) }
    case .yes:
      return value == true ? [PayloadChange(keys, to: 1)] : []
    case .volume:
      let volume = value.number.map { PayloadChange(["aps", "sound", "volume"], to: $0.json) }
      return [PayloadChange(keys, to: 1), volume].compactMap(\.self)
    case .moment:
      // Other text is kept: it may be a placeholder, and rules report the rest.
      let moment = try? Expiration(value.string ?? "", now: now)
      return [PayloadChange(keys, to: moment.map { JSONNumber($0.seconds).json } ?? value)]
    case .text, .texts, .wholeNumber, .number, .level, .event, .object:
      return [PayloadChange(keys, to: value)]
    }
  }
}

extension PayloadOption {
  /// All of them, in the order of help.
  package static let table: [PayloadOption] =
    [set] + texts + [
      .init(
        "badge", sets: "aps.badge", .wholeNumber, value: "N",
        help: "The number on the app's icon; 0 clears it."),
      .init(
        "sound", sets: "aps.sound.name", value: "NAME",
        help: "A sound file in the app, or 'default'."),
      critical,
      .init(
        "category", sets: "aps.category", value: "ID",
        help: "The category that adds action buttons."),
      .init(
        "thread-id", kept: "threadID", sets: "aps.thread-id", value: "ID",
        help: "Groups notifications into one thread."),
      .init(
        "interruption-level", kept: "interruptionLevel", sets: "aps.interruption-level", .level,
        value: "LEVEL", help: "How much the notification may interrupt."),
      .init(
        "relevance-score", kept: "relevanceScore", sets: "aps.relevance-score", .number,
        value: "N", help: "Ranking in the app's summary, 0 to 1."),
      .init(
        "content-available", kept: "contentAvailable", sets: "aps.content-available", .yes,
        help: "Wake the app in the background."),
      .init(
        "mutable-content", kept: "mutableContent", sets: "aps.mutable-content", .yes,
        help: "Let the app's service extension change the notification."),
    ] + activity + [
      .init(
        "data", .members, value: "KEY=JSON", help: "A key of the app's own, beside 'aps'.")
    ]

  /// `--set`, whose changes are made before all others, and have to fit.
  package static let set = PayloadOption(
    "set", .changes, value: "PATH=TEXT",
    help: "Set a key, as in aps.alert.title=Hi; PATH:=JSON sets JSON, PATH:= removes.")

  /// `--critical`
  package static let critical = PayloadOption(
    "critical", sets: "aps.sound.critical", .volume, value: "VOLUME",
    help: "Play the sound even in silent mode, at a volume from 0 to 1.")

  private static let texts: [PayloadOption] = [
    .init(
      "title", sets: "aps.alert.title", value: "TEXT", help: "The alert's title.",
      replacing: ["titleLocKey", "titleLocArgs"]),
    .init("subtitle", sets: "aps.alert.subtitle", value: "TEXT", help: "The alert's subtitle."),
    .init(
      "body", sets: "aps.alert.body", value: "TEXT", help: "The alert's text.",
      replacing: ["locKey", "locArgs"]),
    .init(
      "title-loc-key", kept: "titleLocKey", sets: "aps.alert.title-loc-key", value: "KEY",
      help: "The title, as the key of a localized string in the app.", replacing: ["title"]),
    .init(
      "title-loc-args", kept: "titleLocArgs", sets: "aps.alert.title-loc-args", .texts,
      value: "TEXT", help: "An argument of that string, or a JSON array of them."),
    .init(
      "loc-key", kept: "locKey", sets: "aps.alert.loc-key", value: "KEY",
      help: "The text, as the key of a localized string in the app.", replacing: ["body"]),
    .init(
      "loc-args", kept: "locArgs", sets: "aps.alert.loc-args", .texts, value: "TEXT",
      help: "An argument of that string, or a JSON array of them."),
  ]

  private static let activity: [PayloadOption] = [
    .init(
      "event", sets: "aps.event", .event, value: "EVENT",
      help: "What to do to a Live Activity; its timestamp is now."),
    .init(
      "content-state", kept: "contentState", sets: "aps.content-state", .object, value: "JSON",
      help: "The state that the Live Activity shows."),
    .init(
      "attributes-type", kept: "attributesType", sets: "aps.attributes-type", value: "NAME",
      help: "The type of the attributes of a Live Activity that starts."),
    .init(
      "attributes", sets: "aps.attributes", .object, value: "JSON",
      help: "The attributes of a Live Activity that starts."),
    .init(
      "stale-date", kept: "staleDate", sets: "aps.stale-date", .moment, value: "TIME",
      help: "When the state is out of date: 1h, epoch seconds or ISO 8601."),
    .init(
      "dismissal-date", kept: "dismissalDate", sets: "aps.dismissal-date", .moment, value: "TIME",
      help: "When an ended Live Activity disappears: 1h, epoch seconds or ISO 8601."),
  ]
}

extension Settings {
  /// The value of an option that changes the payload, in the form of the history.
  package subscript(option: PayloadOption) -> Setting<JSON>? {
    get { changes[option.key] }
    set { changes[option.key] = newValue }
  }

  /// Takes a value from the command line; a repeatable option adds it to those before.
  package mutating func take(_ value: JSON, for option: PayloadOption) {
    var value = value
    if option.form.isRepeatable {
      value = JSON(.array((self[option]?.value.array ?? []) + (value.array ?? [value])))
    }
    self[option] = Setting(value, .setting("--" + option.name))
  }

  /// The origin of the first setting for a Live Activity; nil when there is none.
  package var activityOrigin: Origin? {
    PayloadOption.table.lazy.filter(\.isOfActivity).compactMap { self[$0]?.origin }.first
  }

  /// The changes of `--set`, in order.
  package var exactChanges: [PayloadChange] {
    self[.set].map { PayloadOption.set.changes($0.value, now: 0) } ?? []
  }

  /// The changes of the other options.
  ///
  /// - Parameter now: seconds since 1970.
  package func payloadPatch(now: Int64) throws(PayloadChangeError) -> PayloadPatch {
    try PayloadPatch(
      PayloadOption.table.filter { $0.key != PayloadOption.set.key }.flatMap { option in
        self[option].map { option.changes($0.value, now: now) } ?? []
      })
  }

  /// The first two options that say the same in two ways; nil when there are none.
  var contradictingChanges: (String, String)? {
    let said = PayloadOption.table.filter { self[$0]?.origin.isOption ?? false }
    for option in said {
      let other = said.first {
        $0.replaced.contains(option.key) && option.replaced.contains($0.key)
      }
      if let other { return ("--" + option.name, "--" + other.name) }
    }
    return nil
  }

  /// Removes what the options of an upper layer say in another way.
  mutating func giveWay(toChangesOf upper: Settings) {
    for option in PayloadOption.table where upper[option] != nil {
      for key in option.replaced { changes[key] = nil }
    }
  }
}
