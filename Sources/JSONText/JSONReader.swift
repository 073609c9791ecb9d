/// Reads JSON (RFC 8259) or JSON5 strictly, with the line and column of every key and value.
public struct JSONReader: Sendable {
  /// The grammar to follow.
  public enum Grammar: Sendable {
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

  private let grammar: Grammar
  private let depthLimit: Int
  private let byteLimit: Int

  /// Creates a reader for a grammar.
  ///
  /// - Parameters:
  ///   - grammar: Strict JSON by default.
  ///   - depthLimit: The maximum nesting of arrays and objects; 32 by default, 64 at most.
  ///   - byteLimit: The maximum size of a text in bytes; 64 MiB by default.
  public init(
    _ grammar: Grammar = .json, depthLimit: Int = usualDepth, byteLimit: Int = 64 * 1024 * 1024
  ) {
    self.grammar = grammar
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
    let (reading, slips) = readPastSlips(bytes)
    if let first = slips.first { throw first }
    return try reading.get()
  }

  /// Reads one whole text past slips: repeated keys, of which the last counts, and trailing commas
  /// and comments, which strict JSON does not allow.
  ///
  /// - Returns: The value or the error that ended the reading, and the slips before it.
  public func readPastSlips(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (reading: Result<JSON, JSONSyntaxError>, slips: [JSONSyntaxError]) {
    let start = JSONPosition(line: 1, column: 1)
    guard bytes.count <= byteLimit else {
      let error = JSONSyntaxError(.textTooLong(count: bytes.count, limit: byteLimit), at: start)
      return (.failure(error), [])
    }
    var parser = JSONParser(bytes, grammar: grammar, depthLimit: depthLimit)
    let reading = Result { () throws(JSONSyntaxError) in try parser.document() }
    return (reading, parser.slips)
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

/// Converts byte offsets to lines and columns. For ascending offsets it reads every byte once.
struct PositionTracker {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var reached = JSONPosition(line: 1, column: 1)

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The position of the byte at an offset; the end of the text is a valid offset.
  mutating func position(at target: Int) -> JSONPosition {
    if target < offset { self = PositionTracker(bytes) }
    while offset < target {
      if let eight = bytes.eightBytes(at: offset, before: target),
        eight.areASCII, eight.haveNoControl
      {
        reached.column += 8
        offset += 8
      } else {
        pass(bytes[offset])
        offset += 1
      }
    }
    return reached
  }

  private mutating func pass(_ byte: UInt8) {
    switch byte {
    case .lineFeed where offset > 0 && bytes[offset - 1] == .carriageReturn: break
    case .lineFeed, .carriageReturn:
      reached.line += 1
      reached.column = 1
    case 0x80...0xBF: break
    default: reached.column += 1
    }
  }
}

/// The members of an object while it is being read, with a fast check for duplicate keys.
struct DistinctMembers {
  private(set) var members: [JSONMember] = []

  /// All keys, once there are too many members for a linear search.
  private var keys: Set<String> = []

  /// The number of members up to which a linear search costs less than hashing.
  private static var scanLimit: Int { 8 }

  /// The position at which a key was read before; nil for a new key.
  func position(of key: String) -> JSONPosition? {
    guard members.count <= Self.scanLimit || keys.contains(key) else { return nil }
    return members.first { $0.key == key }?.keyPosition
  }

  /// Replaces the member with the same key.
  mutating func replace(by member: JSONMember) {
    if let index = members.firstIndex(where: { $0.key == member.key }) { members[index] = member }
  }

  /// Adds a member whose key is new.
  mutating func append(_ member: JSONMember) {
    members.append(member)
    if members.count > Self.scanLimit + 1 {
      keys.insert(member.key)
    } else if members.count > Self.scanLimit {
      keys = Set(members.map(\.key))
    }
  }
}
