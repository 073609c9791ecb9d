/// A place in a text to be filled with each recipient's value: `{{name|number|default('0')}}`.
struct Placeholder: Sendable, Hashable {
  /// The source of the value.
  enum Content: Sendable, Hashable {
    /// The variable with this name.
    case variable(String)
    /// The current time plus this many seconds.
    case now(offset: Int64)
  }

  /// The source of the value.
  let source: Content
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

/// Parses one placeholder, from after its `{{` to after its `}}`.
struct PlaceholderReader {
  private let scalars: [Unicode.Scalar]
  private(set) var offset: Int

  init(_ scalars: [Unicode.Scalar], from offset: Int) {
    self.scalars = scalars
    self.offset = offset
  }

  /// Reads the placeholder. Spaces and tabs are allowed between its parts.
  mutating func read() throws(PlaceholderFault) -> Placeholder {
    var placeholder = Placeholder(source: try source())
    while skip("|") { try readFilter(into: &placeholder) }
    guard skip("}"), offset < scalars.count, scalars[offset] == "}" else { throw unexpected() }
    offset += 1
    return try checked(placeholder)
  }

  private func checked(_ placeholder: Placeholder) throws(PlaceholderFault) -> Placeholder {
    let hasFilter = placeholder.isNumber || placeholder.fallback != nil
    if case .now = placeholder.source, hasFilter { throw .filteredNow }
    if placeholder.isNumber, let text = placeholder.fallback, !Array(text.utf8).isJSONNumber {
      throw .defaultNotNumber(text)
    }
    return placeholder
  }

  // MARK: The parts

  private mutating func source() throws(PlaceholderFault) -> Placeholder.Content {
    let name = word()
    if name == "now" { return .now(offset: try nowOffset()) }
    if name.hasPrefix("now-") { return .now(offset: -(try seconds(String(name.dropFirst(4))))) }
    if name.isEmpty { throw next == "}" || next == "|" ? .noName : unexpected() }
    return .variable(name)
  }

  private mutating func nowOffset() throws(PlaceholderFault) -> Int64 {
    if skip("+") { return try seconds(word()) }
    return skip("-") ? -(try seconds(word())) : 0
  }

  private func seconds(_ span: String) throws(PlaceholderFault) -> Int64 {
    guard let seconds = TimeSpan.seconds(span), seconds <= 1 << 40 else { throw .badSpan(span) }
    return seconds
  }

  private mutating func readFilter(into placeholder: inout Placeholder) throws(PlaceholderFault) {
    let name = word()
    switch name {
    case "number":
      if placeholder.isNumber { throw .repeatedFilter(name) }
      placeholder.isNumber = true
    case "default":
      if placeholder.fallback != nil { throw .repeatedFilter(name) }
      placeholder.fallback = try quotedText()
    case "": throw unexpected()
    default: throw .unknownFilter(name)
    }
  }

  /// Reads `('friend')` or `("friend")`; a backslash escapes a quote or a backslash.
  private mutating func quotedText() throws(PlaceholderFault) -> String {
    guard skip("("), let quote = openingQuote() else { throw .badDefault }
    var text = String.UnicodeScalarView()
    while offset < scalars.count, scalars[offset] != quote {
      if scalars[offset] == "\\", offset + 1 < scalars.count,
        ["'", "\"", "\\"].contains(scalars[offset + 1])
      {
        offset += 1
      }
      text.append(scalars[offset])
      offset += 1
    }
    guard skip(quote), skip(")") else { throw .badDefault }
    return String(text)
  }

  private mutating func openingQuote() -> Unicode.Scalar? {
    if skip("'") { return "'" }
    return skip("\"") ? "\"" : nil
  }

  // MARK: Characters

  private mutating func word() -> String {
    skipBlanks()
    let start = offset
    while offset < scalars.count, scalars[offset].isOfName { offset += 1 }
    return String(String.UnicodeScalarView(scalars[start..<offset]))
  }

  private var next: Unicode.Scalar? {
    scalars[offset...].first { $0 != " " && $0 != "\t" }
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard offset < scalars.count, scalars[offset] == scalar else { return false }
    offset += 1
    return true
  }

  private mutating func skipBlanks() {
    while offset < scalars.count, scalars[offset] == " " || scalars[offset] == "\t" { offset += 1 }
  }

  private func unexpected() -> PlaceholderFault { next.map { .stray($0) } ?? .unclosed }
}

extension Unicode.Scalar {
  /// True for a character allowed in a variable's name: letters, digits, `_`, `-` and `.`.
  fileprivate var isOfName: Bool {
    properties.isAlphabetic || properties.numericType != nil || self == "_" || self == "-"
      || self == "."
  }
}

extension Template {
  /// Returns true if a text is a valid variable name: letters, digits, `_`, `-` and `.`, but not
  /// `now` or anything that begins with `now-`.
  public static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.unicodeScalars.allSatisfy(\.isOfName) && text != "now"
      && !text.hasPrefix("now-")
  }
}
