/// A header field of a request or an answer.
///
/// Its text goes on the wire as it is; its maker sees to it that it holds no control character.
public struct Field: Sendable, Hashable {
  /// How HPACK may treat the field (RFC 7541 section 7.1).
  public enum Indexing: Sendable, Hashable {
    /// The encoder decides.
    case automatic
    /// The value is secret or changes with each request: it stays out of every table.
    case never
  }

  /// The name, in lower case.
  public var name: String

  /// The value.
  public var value: String

  /// How HPACK may treat it.
  public var indexing: Indexing

  /// A field.
  public init(_ name: String, _ value: String, indexing: Indexing = .automatic) {
    self.name = name
    self.value = value
    self.indexing = indexing
  }
}
