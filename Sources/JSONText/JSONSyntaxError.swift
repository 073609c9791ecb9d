/// A syntax error in a JSON text, with its position.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// The broken rule, with what broke it.
  public var kind: Kind

  /// The position of the error.
  public var position: JSONPosition

  /// Creates an error from a broken rule and its position.
  public init(_ kind: Kind, at position: JSONPosition) {
    self.kind = kind
    self.position = position
  }
}

extension JSONSyntaxError {
  /// A broken rule of the grammar or of this reader, with what broke it. Words and numbers are
  /// truncated to 40 bytes.
  public enum Kind: Sendable, Hashable {
    /// The text has more bytes than the reader's limit.
    case textTooLong(count: Int, limit: Int)
    /// The text holds no value, only white space and comments.
    case emptyText
    /// The byte is not part of well-formed UTF-8 (RFC 3629).
    case invalidUTF8(byte: UInt8)
    /// A strict text begins with U+FEFF (RFC 8259 section 8.1).
    case byteOrderMark

    /// The text ends in the middle of a value.
    case unexpectedEnd(expected: Expected)
    /// The character is not what the grammar requires here.
    case unexpectedCharacter(Unicode.Scalar, expected: Expected)
    /// Something follows the value.
    case trailingContent(Unicode.Scalar)
    /// A strict text has a comma before `]` or `}`.
    case trailingComma
    /// A strict text has a comment.
    case comment
    /// The word is not `true`, `false` or `null`.
    case unknownWord(String)

    /// The object already has this key.
    case duplicateKey(String, first: JSONPosition)
    /// A key of a strict text has no quotes.
    case unquotedKey(String)
    /// A strict text has `'` where `"` is needed.
    case singleQuote
    /// A typographic quotation mark stands in place of a straight one.
    case smartQuote(Unicode.Scalar)

    /// A string contains a control character that must be escaped; in JSON5 only line feed and
    /// carriage return.
    case controlCharacter(Unicode.Scalar)
    /// The escape is undefined, or its hexadecimal digits are missing.
    case badEscape(Unicode.Scalar)
    /// Half of a surrogate pair is escaped without the other half.
    case loneSurrogate(UInt16)

    /// The text is not a number of this dialect.
    case badNumber(String)
    /// A number of several digits begins with zero.
    case leadingZero(String)
    /// The number is NaN or infinite, signed or not; JSON5 allows it, but JSON cannot express it.
    case notFinite(String)
    /// A hexadecimal number of JSON5 exceeds 128 bits.
    case hexadecimalTooLarge(String)

    /// Arrays and objects nest deeper than the reader's limit.
    case tooDeep(limit: Int)
  }

  /// The token that the grammar requires.
  public enum Expected: Sendable, Hashable {
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

/// A position in a text. Line and column start at 1; the column counts Unicode scalars.
public struct JSONPosition: Sendable, Hashable, Comparable {
  /// The line, from 1. CR LF, LF and CR each end a line once.
  public var line: Int

  /// The column, from 1, counted in Unicode scalars.
  public var column: Int

  /// Creates a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders positions as they follow each other in the text.
  public static func < (left: JSONPosition, right: JSONPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
