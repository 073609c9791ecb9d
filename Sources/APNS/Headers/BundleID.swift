/// The identifier of an app, for example `com.example.shop`.
public struct BundleID: Sendable, Hashable, CustomStringConvertible {
  /// The identifier as text.
  public let text: String

  /// Reads a bundle ID: letters, digits, `.`, `-` and `_`, with something between the dots, at
  /// most ``Topic/maximumLength`` characters.
  public init(_ text: some StringProtocol) throws(TopicError) {
    try TopicError.check(text)
    self.text = String(text)
  }

  /// A bundle ID cut out of a topic that has been checked.
  init(checked text: some StringProtocol) { self.text = String(text) }

  /// The identifier as text.
  public var description: String { text }
}
