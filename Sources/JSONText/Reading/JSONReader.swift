/// Reads JSON (RFC 8259) or JSON5 strictly, with the line and column of every key and value.
public struct JSONReader: Sendable {
  /// The grammar to follow.
  public enum Dialect: Sendable {
    /// RFC 8259 and nothing more.
    case json
    /// JSON5 (json5.org): comments, trailing commas, unquoted keys, single quotes and its other
    /// extensions, except NaN and the infinities. Numbers are converted to strict JSON spelling.
    case json5
  }

  /// The upper limit on `depthLimit`, so that no text can exhaust the stack: it takes 80 KiB in an
  /// optimized build and 240 KiB in a test build. A thread on macOS has 512 KiB by default.
  public static var greatestDepth: Int { 64 }

  /// The default limit on the nesting of arrays and objects.
  public static var usualDepth: Int { 32 }

  private let dialect: Dialect
  private let depthLimit: Int
  private let byteLimit: Int

  /// Creates a reader for one dialect.
  ///
  /// - Parameters:
  ///   - dialect: The grammar; strict JSON by default.
  ///   - depthLimit: The maximum nesting of arrays and objects; 32 by default, 64 at most.
  ///   - byteLimit: The maximum size of a text in bytes; 64 MiB by default.
  public init(
    _ dialect: Dialect = .json, depthLimit: Int = usualDepth, byteLimit: Int = 64 * 1024 * 1024
  ) {
    self.dialect = dialect
    self.depthLimit = min(depthLimit, Self.greatestDepth)
    self.byteLimit = byteLimit
  }

  /// Reads one whole text.
  ///
  /// - Throws: `JSONSyntaxError` at the first place that breaks the grammar, repeats a key, holds a
  ///   lone surrogate, or nests too deep. Length and UTF-8 are checked first.
  public func read(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSON {
    try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in try read(buffer) }
  }

  /// Reads one whole text from borrowed memory, without copying it.
  ///
  /// - Throws: `JSONSyntaxError`, under the same conditions as for an array.
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
  /// - Throws: `JSONSyntaxError`, under the same conditions as for an array.
  public func read(_ text: String) throws(JSONSyntaxError) -> JSON {
    try read(Array(text.utf8))
  }
}

extension JSONNumber {
  /// Parses a number as strict JSON spells it (RFC 8259 section 6); nil for any other text,
  /// including a number with white space around it.
  public init?(parsing text: String) {
    guard let number = try? JSONReader().read(text).number, number.text == text else { return nil }
    self = number
  }
}
