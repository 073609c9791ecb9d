/// A JSON value together with the place it was read from.
///
/// Equality and hashing look at the value alone, so a value read from a file equals the same value
/// written in source code.
public struct JSON: Sendable {
  /// What kind of value this is, and what it holds.
  public enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    case object(JSONObject)
  }

  /// The value itself.
  public var value: Value

  /// Where the value begins in the text it was read from; nil when it was made in memory.
  public var position: JSONPosition?

  /// A value, and where it was read from.
  public init(_ value: Value, at position: JSONPosition? = nil) {
    self.value = value
    self.position = position
  }
}

extension JSON: Hashable {
  public static func == (left: JSON, right: JSON) -> Bool { left.value == right.value }

  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension JSON {
  /// The text, if this is a string.
  public var string: String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// The number as it was written, if this is a number.
  public var number: JSONNumber? {
    if case .number(let number) = value { number } else { nil }
  }

  /// The truth value, if this is `true` or `false`.
  public var bool: Bool? {
    if case .bool(let bool) = value { bool } else { nil }
  }

  /// The elements, if this is an array.
  public var array: [JSON]? {
    if case .array(let elements) = value { elements } else { nil }
  }

  /// The members, if this is an object.
  public var object: JSONObject? {
    if case .object(let object) = value { object } else { nil }
  }

  /// The member with this key, if this is an object that has one.
  public subscript(key: String) -> JSON? { object?[key] }

  /// A noun for messages: `null`, `true or false`, `a number`, `text`, `an array`, `an object`.
  public var kind: String {
    switch value {
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
  public init(stringLiteral text: String) { self.init(.string(text)) }
  public init(integerLiteral number: Int) { self.init(.number(JSONNumber(number))) }
  public init(booleanLiteral bool: Bool) { self.init(.bool(bool)) }
  public init(arrayLiteral elements: JSON...) { self.init(.array(elements)) }
  public init(nilLiteral: ()) { self.init(.null) }

  public init(dictionaryLiteral members: (String, JSON)...) {
    self.init(.object(JSONObject(members.map { JSONMember(key: $0.0, value: $0.1) })))
  }
}
