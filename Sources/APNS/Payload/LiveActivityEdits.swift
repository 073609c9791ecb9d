public import JSONText

/// The effect of a push on a Live Activity: the value of `aps.event`.
public enum LiveActivityEvent: String, Sendable, Hashable, CaseIterable {
  /// Starts the activity, since iOS 17.2; sent to a push-to-start token.
  case start
  /// Shows a new state.
  case update
  /// Ends the activity with a final state.
  case end
}

/// A Live Activity's keys, set by options. Nil leaves a key unchanged.
public struct LiveActivityEdits: Sendable, Hashable {
  /// `aps.event`
  public var event: LiveActivityEvent?
  /// `aps.content-state`
  public var contentState: JSON?
  /// `aps.attributes-type`
  public var attributesType: String?
  /// `aps.attributes`
  public var attributes: JSON?
  /// `aps.stale-date`, in a form for ``Expiration/init(_:now:)`` or with placeholders.
  public var staleDate: String?
  /// `aps.dismissal-date`, in the same forms.
  public var dismissalDate: String?

  /// Creates edits that change nothing.
  public init() {}

  /// True if there is nothing to change.
  public var isEmpty: Bool { self == LiveActivityEdits() }

  /// Changes Apple's part of a payload. Adds a timestamp if there is none, because devices ignore a
  /// push without it.
  ///
  /// - Parameter now: Seconds since 1970.
  func apply(to aps: inout JSONObject, now: Int64) {
    if isEmpty { return }
    if aps["timestamp"] == nil { aps["timestamp"] = JSON(.number(JSONNumber(now))) }
    let members: [(String, JSON?)] = [
      ("event", event.map { JSON(.string($0.rawValue)) }), ("content-state", contentState),
      ("attributes-type", attributesType.map { JSON(.string($0)) }), ("attributes", attributes),
      ("stale-date", staleDate.map { Self.moment($0, now: now) }),
      ("dismissal-date", dismissalDate.map { Self.moment($0, now: now) }),
    ]
    for case (let key, let value?) in members { aps[key] = value }
  }

  /// Converts a date. Other text is kept: it may be a placeholder, and rules report the rest.
  private static func moment(_ text: String, now: Int64) -> JSON {
    guard let moment = try? Expiration(text, now: now) else { return JSON(.string(text)) }
    return JSON(.number(JSONNumber(moment.seconds)))
  }
}
