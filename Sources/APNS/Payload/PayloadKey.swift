public import JSONText

/// What there is to know about one key of a payload: a row of ``table``.
public struct PayloadKey: Sendable, Hashable {
  /// What a value may be.
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

    /// Whether a value is of this kind.
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
  /// What the value may be; one of these.
  public let kinds: [Kind]
  /// Which values of these kinds have a meaning.
  public let values: Values
  /// Push types for which every value of the kind has a meaning.
  public let isOpenFor: [PushType]
  /// The only push types that look at the key; empty for every type.
  public let types: [PushType]
  /// The only events of a Live Activity that look at the key; empty for every event.
  public let events: [LiveActivityEvent]
  /// The events of a Live Activity that cannot do without the key.
  public let neededBy: [LiveActivityEvent]
  /// What it does, in one line.
  public let summary: String
  /// What to know when using it.
  public let explanation: String
  /// The page that says so.
  public let source: String

  init(
    _ path: String, _ kinds: Kind..., values: Values = .any, isOpenFor: [PushType] = [],
    types: [PushType] = [], events: [LiveActivityEvent] = [], neededBy: [LiveActivityEvent] = [],
    summary: String, explanation: String, source: String = Source.payload
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
    self.source = source
  }

  /// The row of a path, or of a key of `aps` by its bare name; nil when it is not known.
  public static func info(_ path: some StringProtocol) -> PayloadKey? {
    let paths = [String(path), "aps.\(path)"]
    return table.first { paths.contains($0.path) }
  }
}
