/// A type whose values are written as one word on the command line.
///
/// A `CaseIterable` enum with `String` raw values gets every requirement for free.
public protocol ArgumentValue: ArgumentProperty {
  /// Parses one word, exactly as it was written.
  ///
  /// - Throws: `BadValue` if the word is not a valid value.
  init(argument word: String) throws(BadValue)

  /// The word for this value, which help shows as the default. An empty word is not shown.
  var argumentText: String { get }

  /// The words offered by help, errors and completions; empty for an open set.
  static var choices: [String] { get }
}

/// The reason a word is not a valid value.
public enum BadValue: Error, Sendable, Equatable {
  /// The word is not among the type's `choices`.
  case notAChoice
  /// The word is not of the expected form: a noun phrase, such as "a whole number".
  case expected(String)
  /// Any other reason: a clause without a full stop. It must not repeat the word.
  case because(String)
  /// The same for a word that may be a secret: only its last eight characters are shown.
  case secretBecause(String)
}

extension ArgumentValue {
  /// No choices: the set of words is open.
  public static var choices: [String] { [] }
}

extension ArgumentValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// Parses a raw value; any other word is not a choice.
  public init(argument word: String) throws(BadValue) {
    guard let value = Self(rawValue: word) else { throw .notAChoice }
    self = value
  }

  /// The raw value.
  public var argumentText: String { rawValue }

  /// Every raw value, in the order of the cases.
  public static var choices: [String] { allCases.map(\.rawValue) }
}

extension String: ArgumentValue {
  /// Takes the word as it is.
  public init(argument word: String) { self = word }

  /// The text itself.
  public var argumentText: String { self }
}

extension Int: ArgumentValue {
  /// Parses a decimal integer.
  public init(argument word: String) throws(BadValue) {
    guard let value = Int(word) else { throw .expected("a whole number") }
    self = value
  }

  /// The decimal digits.
  public var argumentText: String { String(self) }
}

extension Double: ArgumentValue {
  /// Parses a finite number.
  public init(argument word: String) throws(BadValue) {
    guard let value = Double(word), value.isFinite else { throw .expected("a number") }
    self = value
  }

  /// The shortest digits that read back as the same number.
  public var argumentText: String { String(self) }
}

extension Bool: ArgumentValue {
  /// Parses `true` or `false`.
  public init(argument word: String) throws(BadValue) {
    guard let value = Bool(word) else { throw .notAChoice }
    self = value
  }

  /// `true` or `false`.
  public var argumentText: String { String(self) }

  /// The two words.
  public static var choices: [String] { ["true", "false"] }
}

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
