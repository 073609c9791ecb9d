/// Reads JSON (RFC 8259) or JSON5 strictly, with the line and column of every key and value.
public struct JSONReader: Sendable {
  /// The grammar to follow.
  public enum Dialect: Sendable {
    /// RFC 8259 and nothing more.
    case json
    /// JSON5 (json5.org): comments, trailing commas, unquoted keys, single quotes and its other
    /// liberties, without NaN and the infinities. A number is respelled as strict JSON has it.
    case json5
  }

  /// The deepest nesting any reader goes to, so that no text can exhaust the stack: an optimized
  /// build needs 80 KiB for it, one for tests 240 KiB. A thread of macOS has 512 KiB by default.
  public static var greatestDepth: Int { 64 }

  /// How deep arrays and objects may nest by default.
  public static var usualDepth: Int { 32 }

  private let dialect: Dialect
  private let depthLimit: Int
  private let byteLimit: Int

  /// A reader of one dialect.
  ///
  /// - Parameters:
  ///   - dialect: The grammar; strict JSON by default.
  ///   - depthLimit: How deep arrays and objects may nest; 32 by default, 64 at most.
  ///   - byteLimit: How many bytes a text may have; 64 MiB by default.
  public init(
    _ dialect: Dialect = .json, depthLimit: Int = usualDepth, byteLimit: Int = 64 * 1024 * 1024
  ) {
    self.dialect = dialect
    self.depthLimit = min(depthLimit, Self.greatestDepth)
    self.byteLimit = byteLimit
  }

  /// Reads one whole text.
  ///
  /// - Throws: `JSONSyntaxError` at the first place that breaks the grammar, repeats a key, holds
  ///   a lone surrogate, or nests too deep. Length and UTF-8 are looked at before anything else.
  public func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSON {
    try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in try read(buffer) }
  }

  /// Reads one whole text out of borrowed memory, without a copy of it.
  ///
  /// - Throws: `JSONSyntaxError`, as with an array.
  public func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> JSON {
    let start = JSONPosition(line: 1, column: 1)
    guard bytes.count <= byteLimit else {
      throw JSONSyntaxError(.textTooLong(count: bytes.count, limit: byteLimit), at: start)
    }
    var parser = JSONParser(bytes, dialect: dialect, depthLimit: depthLimit)
    return try parser.document()
  }

  /// Reads one whole text.
  ///
  /// - Throws: `JSONSyntaxError`, as with an array.
  public func read(_ text: String) throws(JSONSyntaxError) -> JSON {
    try read(Array(text.utf8))
  }
}

extension JSONNumber {
  /// A number as a strict JSON text may have it (RFC 8259 section 6); nil for any other text,
  /// white space around the number included.
  public init?(parsing text: String) {
    guard let number = try? JSONReader().read(text).number, number.text == text else { return nil }
    self = number
  }
}
