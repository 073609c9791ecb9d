internal import CNGHTTP2

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

/// The header fields of an answer, laid out for nghttp2, which copies them. The buffer is reused.
struct FieldBuffer {
  private var text: [UInt8] = []
  private var rows: [(name: Int, value: Int, flags: UInt8)] = []
  private var nameValues: [nghttp2_nv] = []

  /// Stores the fields of an answer.
  mutating func fill(status: Int, _ fields: [Field]) {
    removeAll()
    append(":status", String(status), flags: 0)
    append(fields)
  }

  /// Stores the fields of a trailer.
  mutating func fill(_ fields: [Field]) {
    removeAll()
    append(fields)
  }

  private mutating func removeAll() {
    text.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ fields: [Field]) {
    for field in fields {
      let secret = field.indexing == .never
      append(field.name, field.value, flags: secret ? UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) : 0)
    }
  }

  private mutating func append(_ name: String, _ value: String, flags: UInt8) {
    text.append(contentsOf: name.utf8)
    text.append(contentsOf: value.utf8)
    rows.append((name.utf8.count, value.utf8.count, flags))
  }

  mutating func withNameValues<Result>(
    _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Result
  ) -> Result {
    nameValues.removeAll(keepingCapacity: true)
    return text.withUnsafeMutableBufferPointer { text in
      var next = text.baseAddress
      for row in rows {
        let value = next.map { $0 + row.name }
        nameValues.append(
          nghttp2_nv(
            name: next, value: value, namelen: row.name, valuelen: row.value, flags: row.flags))
        next = value.map { $0 + row.value }
      }
      return nameValues.withUnsafeBufferPointer(body)
    }
  }
}
