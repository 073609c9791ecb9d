/// Reads JSON (RFC 8259) or JSON5 strictly, with the line and column of every key and value.
public struct JSONReader: Sendable {
  /// The grammar to follow.
  public enum Dialect: Sendable {
    /// RFC 8259 and nothing more.
    case json
    /// JSON5: comments, trailing commas, unquoted keys, single quotes and its other liberties.
    case json5
  }

  private let dialect: Dialect

  /// A reader of one dialect.
  public init(_ dialect: Dialect = .json) { self.dialect = dialect }

  /// Reads one whole text.
  ///
  /// - Throws: `JSONSyntaxError` at the first place that breaks the grammar, is not UTF-8, repeats
  ///   a key, holds a lone surrogate, or nests deeper than 32.
  public func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSON {
    JSON(.null)
  }
}

/// What is wrong with a JSON text, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// Where the text goes wrong.
  public var position: JSONPosition
}
