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
  /// What it does, in one line.
  public let summary: String
  /// What to know when using it.
  public let explanation: String
  /// The page that says so.
  public let source: String

  init(
    _ path: String, _ kinds: Kind..., summary: String, explanation: String,
    source: String = Source.payload
  ) {
    self.path = path
    self.kinds = kinds
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
