/// A place in a text to be filled with each recipient's value: `{{name|number|default('0')}}`.
struct Placeholder: Sendable, Hashable {
  /// The source of the value.
  enum Source: Sendable, Hashable {
    /// The variable with this name.
    case variable(String)
    /// The current time plus this many seconds.
    case now(offset: Int64)
  }

  /// The source of the value.
  let source: Source
  /// True if the value has to be a number and is written as one.
  var isNumber = false
  /// The text to use if the variable is missing, null or empty; nil for none.
  var fallback: String?
}

/// A part of a text with placeholders.
enum TemplatePiece: Sendable, Hashable {
  /// Text to write as it is.
  case text(String)
  /// A placeholder to fill.
  case placeholder(Placeholder)
}

/// The reason a placeholder is invalid.
enum PlaceholderFault: Error, Sendable, Hashable {
  /// It is not closed.
  case unclosed
  /// It has no name.
  case noName
  /// A character is not allowed where it is.
  case stray(Unicode.Scalar)
  /// The filter is unknown.
  case unknownFilter(String)
  /// A filter is repeated.
  case repeatedFilter(String)
  /// The text of `default` is not in quotes and parentheses.
  case badDefault
  /// The text of `default` is not a number, but has to be one.
  case defaultNotNumber(String)
  /// The text after `now` is not a duration.
  case badSpan(String)
  /// A filter is applied to `now`, which always has a value and is always a number.
  case filteredNow
}
