/// A type that one word of the command line can be turned into.
///
/// An enum with `String` raw values that is `CaseIterable` gets everything for free.
public protocol ArgumentValue: ArgumentProperty {
  /// Reads one word, exactly as it was written.
  ///
  /// - Throws: `BadValue`, when the word does not name a value.
  init(argument word: String) throws(BadValue)

  /// The word that names this value: what help shows as a default. Empty means "show nothing".
  var argumentText: String { get }

  /// The words that help, errors and completions offer; empty when the set is open.
  static var choices: [String] { get }
}

/// Why a word is not a value.
public enum BadValue: Error, Sendable, Equatable {
  /// It is not among the type's `choices`.
  case notAChoice
  /// Something else was expected: a noun phrase, such as "a whole number".
  case expected(String)
  /// Any other reason: a clause without a full stop. It must not repeat the word.
  case because(String)
  /// The same for a word that may be a secret: only its last eight characters are shown.
  case secretBecause(String)
}

extension ArgumentValue {
  /// No closed set of words.
  public static var choices: [String] { [] }
}

extension ArgumentValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// Reads a raw value; anything else is not a choice.
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
  /// Reads a decimal integer.
  public init(argument word: String) throws(BadValue) {
    guard let value = Int(word) else { throw .expected("a whole number") }
    self = value
  }

  /// The decimal digits.
  public var argumentText: String { String(self) }
}

extension Double: ArgumentValue {
  /// Reads a finite number.
  public init(argument word: String) throws(BadValue) {
    guard let value = Double(word), value.isFinite else { throw .expected("a number") }
    self = value
  }

  /// The shortest digits that read back as the same number.
  public var argumentText: String { String(self) }
}

extension Bool: ArgumentValue {
  /// Reads `true` or `false`.
  public init(argument word: String) throws(BadValue) {
    guard let value = Bool(word) else { throw .notAChoice }
    self = value
  }

  /// `true` or `false`.
  public var argumentText: String { String(self) }

  /// The two words.
  public static var choices: [String] { ["true", "false"] }
}
