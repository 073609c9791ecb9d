/// A stored property filled from the command line: an `ArgumentValue`, an optional, or an array.
public protocol ArgumentProperty: Sendable {
  /// The words offered by help, errors and completions; empty for an open set.
  static var choices: [String] { get }

  /// True if an option for this property may be repeated.
  static var isRepeatable: Bool { get }

  /// Stores one word. `isFirst` is true for the property's first word, with which an array discards
  /// its default.
  ///
  /// - Throws: `BadValue` if the word is not a valid value.
  mutating func take(_ word: String, isFirst: Bool) throws(BadValue)

  /// The words for the current value.
  var argumentTexts: [String] { get }
}

extension ArgumentValue {
  /// Not repeatable: there is one value.
  public static var isRepeatable: Bool { false }

  /// Replaces the value.
  public mutating func take(_ word: String, isFirst: Bool) throws(BadValue) {
    self = try Self(argument: word)
  }

  /// The value's word, unless it is empty.
  public var argumentTexts: [String] { argumentText.isEmpty ? [] : [argumentText] }
}

extension Optional: ArgumentProperty where Wrapped: ArgumentValue {
  /// The wrapped type's choices.
  public static var choices: [String] { Wrapped.choices }

  /// Not repeatable: there is one value.
  public static var isRepeatable: Bool { false }

  /// Replaces the value.
  public mutating func take(_ word: String, isFirst: Bool) throws(BadValue) {
    self = try Wrapped(argument: word)
  }

  /// The wrapped value's word; empty for nil.
  public var argumentTexts: [String] { map(\.argumentTexts) ?? [] }
}

extension Array: ArgumentProperty where Element: ArgumentValue {
  /// The element type's choices.
  public static var choices: [String] { Element.choices }

  /// Repeatable: each word adds an element.
  public static var isRepeatable: Bool { true }

  /// Adds an element; the first word replaces the default.
  public mutating func take(_ word: String, isFirst: Bool) throws(BadValue) {
    let value = try Element(argument: word)
    self = isFirst ? [value] : self + [value]
  }

  /// The words of all elements.
  public var argumentTexts: [String] { flatMap(\.argumentTexts) }
}

/// A stored property set by a flag: `Bool`, or `Bool?` where nil means "not specified".
public protocol SwitchProperty: Sendable {
  /// The value after the flag was given.
  init(isOn: Bool)

  /// The current state; nil if not specified.
  var isOn: Bool? { get }
}

extension Bool: SwitchProperty {
  /// The state itself.
  public init(isOn: Bool) { self = isOn }

  /// The value itself.
  public var isOn: Bool? { self }
}

extension Bool?: SwitchProperty {
  /// The state, now specified.
  public init(isOn: Bool) { self = isOn }

  /// The value itself.
  public var isOn: Bool? { self }
}
