/// A header field of a request or an answer.
///
/// The text is sent as it is; the creator makes sure that it has no control characters.
public struct Field: Sendable, Hashable {
  /// The treatment of the field by HPACK (RFC 7541 section 7.1).
  public enum Indexing: Sendable, Hashable {
    /// Left to the encoder.
    case automatic
    /// Never indexed, because the value is secret or differs in each request.
    case never
  }

  /// The name, in lowercase.
  public var name: String

  /// The value.
  public var value: String

  /// The treatment by HPACK.
  public var indexing: Indexing

  /// Creates a field.
  public init(_ name: String, _ value: String, indexing: Indexing = .automatic) {
    self.name = name
    self.value = value
    self.indexing = indexing
  }
}
