/// What is wrong with a JSON text, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The rule that is broken, and by what.
  public var kind: Kind

  /// Where the text goes wrong.
  public var position: JSONPosition

  /// A broken rule and its place.
  public init(_ kind: Kind, at position: JSONPosition) {
    self.kind = kind
    self.position = position
  }
}

extension JSONSyntaxError {
  /// A broken rule of the grammar, or of this reader, with what broke it. Words and numbers are
  /// cut to 40 bytes.
  public enum Kind: Sendable, Hashable {
    /// The text has more bytes than the reader's limit.
    case textTooLong(count: Int, limit: Int)
    /// The text holds no value, only white space and comments at most.
    case emptyText
    /// The byte is not part of well-formed UTF-8 (RFC 3629).
    case invalidUTF8(byte: UInt8)
    /// A strict text begins with U+FEFF (RFC 8259 section 8.1).
    case byteOrderMark

    /// The text ends in the middle of a value.
    case unexpectedEnd(expected: Expectation)
    /// Something else is required here.
    case unexpectedCharacter(Unicode.Scalar, expected: Expectation)
    /// Something follows the value.
    case trailingContent(Unicode.Scalar)
    /// A strict text has a comma before `]` or `}`.
    case trailingComma
    /// A strict text has a comment.
    case comment
    /// A word that is none of `true`, `false` and `null`.
    case unknownWord(String)

    /// The object has this key already.
    case duplicateKey(String, first: JSONPosition)
    /// A key of a strict text has no quotes.
    case unquotedKey(String)
    /// A strict text has `'` where `"` is needed.
    case singleQuote
    /// A typographic quotation mark where a straight one is needed.
    case smartQuote(Unicode.Scalar)

    /// A control character in a string that has to be escaped; in JSON5 a line feed or carriage
    /// return only.
    case controlCharacter(Unicode.Scalar)
    /// The character after a backslash means nothing, or its hexadecimal digits are missing.
    case badEscape(Unicode.Scalar)
    /// An escaped half of a surrogate pair without its other half.
    case loneSurrogate(UInt16)

    /// The text is not a number of this dialect.
    case badNumber(String)
    /// A number of several digits begins with zero.
    case leadingZero(String)
    /// NaN or an infinity, signed or not. JSON5 has them, but no JSON text can carry them on.
    case notFinite(String)
    /// A hexadecimal number of JSON5 needs more than 128 bits.
    case hexadecimalTooLarge(String)

    /// Arrays and objects nest deeper than the reader's limit.
    case tooDeep(limit: Int)
  }

  /// What would have been right.
  public enum Expectation: Sendable, Hashable {
    /// Any value.
    case value
    /// The key of a member.
    case key
    /// The `:` after a key.
    case colon
    /// `,` or `]`.
    case commaOrClosingBracket
    /// `,` or `}`.
    case commaOrClosingBrace
    /// The quote that ends the string.
    case closingQuote
    /// The `*/` that ends the comment.
    case endOfComment
  }
}
