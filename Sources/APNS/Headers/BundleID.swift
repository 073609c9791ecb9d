/// The identifier of an app, for example `com.example.shop`.
public struct BundleID: Sendable, Hashable, CustomStringConvertible {
  /// The identifier as text.
  public let text: String

  /// Parses a bundle ID: letters, digits, `.`, `-` and `_`, with at least one character between
  /// dots, at most ``Topic/maximumLength`` characters.
  public init(_ text: some StringProtocol) throws(TopicError) {
    try TopicError.check(text)
    self.text = String(text)
  }

  /// Creates a bundle ID from part of a checked topic.
  init(checked text: some StringProtocol) { self.text = String(text) }

  /// The identifier as text.
  public var description: String { text }
}
