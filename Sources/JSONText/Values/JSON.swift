/// A JSON value together with the place it was read from.
///
/// Equality and hashing look at the value alone, so a value read from a file equals the same value
/// written in source code.
public struct JSON: Sendable {
  /// The kind of a value, with what it holds.
  public enum Content: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    case object(JSONObject)
  }

  /// The value itself.
  public var content: Content

  /// The position at which the value begins in its text; nil for a value created in memory.
  public var position: JSONPosition?

  /// Creates a value with the position it was read from.
  public init(_ content: Content, at position: JSONPosition? = nil) {
    self.content = content
    self.position = position
  }
}

extension JSON: Hashable {
  /// Compares the values and ignores their positions.
  public static func == (left: JSON, right: JSON) -> Bool { left.content == right.content }

  /// Hashes the value and ignores its position.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension JSON {
  /// The string; nil for any other kind of value.
  public var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The number as it was written; nil for any other kind of value.
  public var number: JSONNumber? {
    if case .number(let number) = content { number } else { nil }
  }

  /// The Boolean; nil for any other kind of value.
  public var bool: Bool? {
    if case .bool(let bool) = content { bool } else { nil }
  }

  /// The elements of the array; nil for any other kind of value.
  public var array: [JSON]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The object; nil for any other kind of value.
  public var object: JSONObject? {
    if case .object(let object) = content { object } else { nil }
  }

  /// The value of this key; nil if there is none, or if this is not an object.
  public subscript(key: String) -> JSON? { object?[key] }

  /// A noun for messages: `null`, `true or false`, `a number`, `text`, `an array`, `an object`.
  public var kind: String {
    switch content {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  /// A string.
  public init(stringLiteral text: String) { self.init(.string(text)) }
  /// A whole number.
  public init(integerLiteral number: Int) { self.init(.number(JSONNumber(number))) }
  /// `true` or `false`.
  public init(booleanLiteral bool: Bool) { self.init(.bool(bool)) }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self.init(.array(elements)) }
  /// `null`.
  public init(nilLiteral: ()) { self.init(.null) }

  /// An object; if a key occurs more than once, its last value counts.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(.object(JSONObject(elements.map { JSONMember(key: $0.0, value: $0.1) })))
  }
}
