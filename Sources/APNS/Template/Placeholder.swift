/// A place in a text where a value of each recipient goes: `{{name|number|default('0')}}`.
struct Placeholder: Sendable, Hashable {
  /// What goes there.
  enum Source: Sendable, Hashable {
    /// The variable of this name.
    case variable(String)
    /// The present, and these seconds more.
    case now(offset: Int64)
  }

  /// What goes there.
  let source: Source
  /// Whether the value has to be a number, and is written as one.
  var isNumber = false
  /// What goes there when the variable is missing, null or empty; nil for nothing.
  var fallback: String?
}

/// A part of a text with placeholders.
enum TemplatePiece: Sendable, Hashable {
  /// Text to be written as it is.
  case text(String)
  /// Something to be filled.
  case placeholder(Placeholder)
}

/// Why a placeholder cannot be read.
enum PlaceholderFault: Error, Sendable, Hashable {
  /// Nothing closes it.
  case unclosed
  /// There is no name.
  case noName
  /// A character where it has no meaning.
  case stray(Unicode.Scalar)
  /// There is no such filter.
  case unknownFilter(String)
  /// A filter is written twice.
  case repeatedFilter(String)
  /// The text of `default` is not in quotes and brackets.
  case badDefault
  /// The text of `default` has to be a number and is none.
  case defaultNotNumber(String)
  /// What follows `now` is not a duration.
  case badSpan(String)
  /// `now` is always there and always a number.
  case filteredNow
}
