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
  package var position: JSONPosition?

  /// Creates a value.
  public init(_ content: Content) { self.content = content }

  /// Creates a value with the position it was read from.
  package init(_ content: Content, at position: JSONPosition?) {
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
  package var kind: String {
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

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  /// A string.
  public init(stringLiteral text: String) { self.init(.string(text)) }
  /// A whole number.
  public init(integerLiteral number: Int) { self.init(.number(JSONNumber(number))) }
  /// A number; `null` if it is not finite.
  public init(floatLiteral number: Double) {
    self = JSONNumber(double: number).map { JSON(.number($0)) } ?? nil
  }
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

/// The members of a JSON object in the order written, with distinct keys.
///
/// Keys are compared as Swift strings: canonically equivalent spellings of `é` are the same key.
public struct JSONObject: Sendable, Hashable {
  /// The members in order.
  public private(set) var members: [JSONMember]

  /// Creates an object; if a key occurs more than once, its last value counts.
  public init(_ members: [JSONMember] = []) {
    self.members = []
    var places: [String: Int] = [:]
    for member in members {
      if let place = places[member.key] {
        self.members[place].value = member.value
      } else {
        places[member.key] = self.members.count
        self.members.append(member)
      }
    }
  }

  /// Creates an object from members known to have distinct keys.
  package init(distinct members: [JSONMember]) { self.members = members }

  /// The value of a key. Setting it keeps the place of an existing key, appends a new one, and
  /// removes the member if the new value is nil.
  public subscript(key: String) -> JSON? {
    get { members.first { $0.key == key }?.value }
    set {
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(JSONMember(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The keys in order.
  public var keys: [String] { members.map(\.key) }
}

/// A key, its value, and the position of the key.
public struct JSONMember: Sendable, Hashable {
  /// The key, with escapes resolved.
  public var key: String

  /// The position at which the key begins; nil for a member created in memory.
  package var keyPosition: JSONPosition?

  /// The value.
  public var value: JSON

  /// Creates a member of an object.
  public init(key: String, value: JSON) { (self.key, self.value) = (key, value) }

  /// Creates a member that was read at a position.
  package init(key: String, at keyPosition: JSONPosition?, value: JSON) {
    self.key = key
    self.keyPosition = keyPosition
    self.value = value
  }

  /// Compares key and value and ignores positions.
  public static func == (left: JSONMember, right: JSONMember) -> Bool {
    left.key == right.key && left.value == right.value
  }

  /// Hashes key and value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(value)
  }
}

/// A number, kept as written so that reading and writing never change a digit.
public struct JSONNumber: Sendable, Hashable {
  /// The number as spelled in strict JSON, for example `-12.50e3`.
  public let text: String

  /// Creates a number from text known to follow RFC 8259 section 6.
  package init(verified text: String) { self.text = text }

  /// Creates a whole number.
  public init(_ number: some BinaryInteger) { self.text = String(number) }

  /// The shortest spelling that reads back as the same double; nil if `double` is not finite.
  public init?(double: Double) {
    guard double.isFinite else { return nil }
    self.text = double.description
  }

  /// The value as an integer; nil if it is written with a fraction or an exponent, or does not fit
  /// in 64 bits.
  public var int: Int? { Int(text) }

  /// The number as an integer; decimals of zero may follow, as JSON Schema has it.
  package var whole: Int? { int ?? Int(exactly: double) }

  /// The nearest double; infinite when the number is out of range.
  public var double: Double { Double(text) ?? .nan }
}
