public import JSONText

/// The facts about one key of a payload: a row of ``table``.
public struct PayloadKey: Sendable, Hashable {
  /// The type of a value.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A string.
    case text
    /// A number.
    case number
    /// `true` or `false`.
    case bool = "true or false"
    /// An object.
    case object
    /// An array of strings.
    case texts = "array of text"

    /// Returns true if a value is of this kind.
    public func matches(_ value: JSON) -> Bool {
      switch value.content {
      case .string: self == .text
      case .number: self == .number
      case .bool: self == .bool
      case .object: self == .object
      case .array(let elements): self == .texts && elements.allSatisfy { $0.string != nil }
      case .null: false
      }
    }
  }

  /// The keys from the top of the payload, joined by dots: `aps.alert.title`.
  public let path: String
  /// The allowed kinds of the value.
  public let kinds: [Kind]
  /// The valid values of these kinds.
  public let values: Values
  /// The push types for which every value of the kind is valid.
  public let isOpenFor: [PushType]
  /// The only push types that use the key; empty for all types.
  public let types: [PushType]
  /// The only events of a Live Activity that use the key; empty for all events.
  public let events: [LiveActivityEvent]
  /// The events of a Live Activity that require the key.
  public let neededBy: [LiveActivityEvent]
  /// The purpose, in one line.
  public let summary: String
  /// Notes on its use.
  public let explanation: String
  /// The effect of other values than the valid ones; empty if unknown.
  public let otherwise: String
  /// The first system on which it has no effect; nil if it still has one.
  public let ended: String?
  /// The Apple page that documents it.
  public let source: String

  init(
    _ path: String, _ kinds: Kind..., values: Values = .any, isOpenFor: [PushType] = [],
    types: [PushType] = [], events: [LiveActivityEvent] = [], neededBy: [LiveActivityEvent] = [],
    summary: String, explanation: String, otherwise: String = "", ended: String? = nil,
    source: String = Source.payload
  ) {
    self.path = path
    self.kinds = kinds
    self.values = values
    self.isOpenFor = isOpenFor
    self.types = types
    self.events = events
    self.neededBy = neededBy
    self.summary = summary
    self.explanation = explanation
    (self.otherwise, self.ended) = (otherwise, ended)
    self.source = source
  }

  /// True if the key at a path is for Live Activities only.
  package static func isOfActivity(_ path: String) -> Bool {
    table.first { $0.path == path }?.types == [.liveactivity]
  }
}

/// The effect of a push on a Live Activity: the value of `aps.event`.
public enum LiveActivityEvent: String, Sendable, Hashable, CaseIterable {
  /// Starts the activity, since iOS 17.2; sent to a push-to-start token.
  case start
  /// Shows a new state.
  case update
  /// Ends the activity with a final state.
  case end
}
