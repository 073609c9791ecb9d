/// Writes a JSON text piece by piece, without building a tree in memory. It inserts commas, colons,
/// line breaks and indentation; the caller has to match each begin with its end.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("accepted")
/// writer.integer(3)
/// writer.endObject()  // {"accepted":3}
/// ```
public struct JSONWriter: Sendable {
  /// The layout of a text and the choice of characters to escape.
  public enum Style: Sendable, Hashable {
    /// One line, safe to print: besides what the grammar requires, DEL, C1 controls, the
    /// bidirectional controls and U+2028/2029 are escaped, so that no value can control a terminal.
    case compact
    /// Like `compact`, but with a line for each member and element, indented by two spaces.
    case pretty
    /// One line in the fewest bytes: only quotes, backslashes and C0 controls are escaped (RFC 8259
    /// section 7); everything else is UTF-8. For a payload sent to APNs, never for a terminal.
    case wire
  }

  /// The text written so far.
  public private(set) var bytes: [UInt8]

  private let style: Style
  private var depth = 0
  private var last = Last.opening

  /// The token before the next value or key.
  private enum Last { case opening, key, value }

  /// Creates a writer that appends to existing bytes, by default none.
  public init(_ style: Style = .compact, appendingTo bytes: [UInt8] = []) {
    self.style = style
    self.bytes = bytes
  }

  /// Discards the text but keeps its memory, for a writer that is reused.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    depth = 0
    last = .opening
  }

  /// Ends a line with LF, after which another text may begin, as in JSON Lines.
  public mutating func endLine() {
    bytes.append(.lineFeed)
    last = .opening
  }
}

extension JSONWriter {
  /// Begins an object. Members follow, each as a `key` and a value.
  public mutating func beginObject() { begin(.leftBrace) }

  /// Ends the innermost object.
  public mutating func endObject() { end(.rightBrace) }

  /// Begins an array. Its elements follow.
  public mutating func beginArray() { begin(.leftBracket) }

  /// Ends the innermost array.
  public mutating func endArray() { end(.rightBracket) }

  /// Writes the key of a member; its value must follow.
  public mutating func key(_ key: String) {
    makeRoom()
    appendQuoted(key)
    bytes.append(.colon)
    if style == .pretty { bytes.append(.space) }
    last = .key
  }

  private mutating func begin(_ bracket: UInt8) {
    makeRoom()
    bytes.append(bracket)
    depth += 1
    last = .opening
  }

  private mutating func end(_ bracket: UInt8) {
    depth -= 1
    if last != .opening { breakLine() }
    bytes.append(bracket)
    last = .value
  }

  /// Writes whatever separates the next key or value from the one before it.
  private mutating func makeRoom() {
    if last == .key { return }
    if last == .value { bytes.append(.comma) }
    if depth > 0 { breakLine() }
  }

  private mutating func breakLine() {
    guard style == .pretty else { return }
    bytes.append(.lineFeed)
    bytes.append(contentsOf: repeatElement(.space, count: 2 * max(depth, 0)))
  }
}

extension JSONWriter {
  /// Writes a string.
  public mutating func string(_ text: String) {
    makeRoom()
    appendQuoted(text)
    last = .value
  }

  /// Writes a string of printable ASCII without `"` and `\`, such as a device token. The bytes are
  /// not checked: any other byte would corrupt the text.
  public mutating func string(plainASCII text: some Collection<UInt8>) {
    makeRoom()
    bytes.append(.quote)
    bytes.append(contentsOf: text)
    bytes.append(.quote)
    last = .value
  }

  /// Writes a whole number.
  public mutating func integer(_ number: some BinaryInteger) { raw(number.description) }

  /// Writes the shortest spelling that reads back as the same double, or `null` for NaN and the
  /// infinities, which JSON cannot represent.
  public mutating func double(_ number: Double) {
    raw(number.isFinite ? number.description : "null")
  }

  /// Writes a number exactly as it was read.
  public mutating func number(_ number: JSONNumber) { raw(number.text) }

  /// Writes `true` or `false`.
  public mutating func bool(_ bool: Bool) { raw(bool ? "true" : "false") }

  /// Writes `null`.
  public mutating func null() { raw("null") }

  /// Writes a value with everything in it.
  public mutating func value(_ value: JSON) {
    switch value.content {
    case .null: null()
    case .bool(let bool): self.bool(bool)
    case .number(let number): self.number(number)
    case .string(let text): string(text)
    case .array(let elements): array(elements)
    case .object(let object): self.object(object)
    }
  }

  private mutating func array(_ elements: [JSON]) {
    beginArray()
    for element in elements { value(element) }
    endArray()
  }

  private mutating func object(_ object: JSONObject) {
    beginObject()
    for member in object.members {
      key(member.key)
      value(member.value)
    }
    endObject()
  }

  private mutating func raw(_ text: String) {
    makeRoom()
    bytes.append(contentsOf: text.utf8)
    last = .value
  }

  private mutating func appendQuoted(_ text: String) {
    bytes.append(.quote)
    bytes.appendEscaped(text, all: style != .wire)
    bytes.append(.quote)
  }
}

extension JSON {
  /// The value as JSON text in UTF-8. Reading it returns an equal value.
  public func encoded(_ style: JSONWriter.Style = .compact) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.value(self)
    return writer.bytes
  }

  /// The value as JSON text.
  public func encodedString(_ style: JSONWriter.Style = .compact) -> String {
    String(decoding: encoded(style), as: UTF8.self)
  }
}
