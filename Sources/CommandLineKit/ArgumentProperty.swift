/// A stored property that words can fill: an `ArgumentValue`, an optional one, or an array of them.
public protocol ArgumentProperty: Sendable {
  /// The words that help, errors and completions offer; empty when the set is open.
  static var choices: [String] { get }

  /// Whether an option for this property may be given more than once.
  static var isRepeatable: Bool { get }

  /// Stores one word. `isFirst` is true for the first word that the property gets: an array then
  /// forgets its default.
  ///
  /// - Throws: `BadValue`, when the word does not name a value.
  mutating func take(_ word: String, isFirst: Bool) throws(BadValue)

  /// The words that name the present value.
  var argumentTexts: [String] { get }
}

extension ArgumentValue {
  /// One value is given once.
  public static var isRepeatable: Bool { false }

  /// Replaces the value.
  public mutating func take(_ word: String, isFirst: Bool) throws(BadValue) {
    self = try Self(argument: word)
  }

  /// The one word, unless it is empty.
  public var argumentTexts: [String] { argumentText.isEmpty ? [] : [argumentText] }
}

extension Optional: ArgumentProperty where Wrapped: ArgumentValue {
  /// The wrapped type's choices.
  public static var choices: [String] { Wrapped.choices }

  /// One value is given once.
  public static var isRepeatable: Bool { false }

  /// Replaces the value.
  public mutating func take(_ word: String, isFirst: Bool) throws(BadValue) {
    self = try Wrapped(argument: word)
  }

  /// The wrapped value's word; nothing for nil.
  public var argumentTexts: [String] { map(\.argumentTexts) ?? [] }
}

extension Array: ArgumentProperty where Element: ArgumentValue {
  /// The element type's choices.
  public static var choices: [String] { Element.choices }

  /// Each word adds an element.
  public static var isRepeatable: Bool { true }

  /// Adds an element; the first word replaces the default.
  public mutating func take(_ word: String, isFirst: Bool) throws(BadValue) {
    let value = try Element(argument: word)
    self = isFirst ? [value] : self + [value]
  }

  /// The words of all elements.
  public var argumentTexts: [String] { flatMap(\.argumentTexts) }
}

/// A stored property that a flag can set: `Bool`, or `Bool?` where nil means "not said".
public protocol SwitchProperty: Sendable {
  /// The property after the flag was given.
  init(isOn: Bool)

  /// The present state; nil when nothing was said.
  var isOn: Bool? { get }
}

extension Bool: SwitchProperty {
  /// The state itself.
  public init(isOn: Bool) { self = isOn }

  /// The value itself.
  public var isOn: Bool? { self }
}

extension Bool?: SwitchProperty {
  /// The state itself, said.
  public init(isOn: Bool) { self = isOn }

  /// The value itself.
  public var isOn: Bool? { self }
}
