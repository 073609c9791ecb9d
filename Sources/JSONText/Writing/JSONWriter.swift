/// Writes a JSON text piece by piece, without a tree in memory. Commas, colons, line breaks and
/// indentation come by themselves; that every begin has its end is up to the caller.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("accepted")
/// writer.integer(3)
/// writer.endObject()  // {"accepted":3}
/// ```
public struct JSONWriter: Sendable {
  /// How a text is laid out and which characters it spells as escapes.
  public enum Style: Sendable, Hashable {
    /// One line, safe to print: besides what the grammar asks for, DEL, C1 controls, the
    /// bidirectional controls and U+2028/2029 are escaped, so that no value can steer a terminal.
    case compact
    /// As safe as `compact`, with a line for each member and element, indented by two spaces.
    case pretty
    /// One line in the fewest bytes: only quotes, backslashes and C0 controls are escaped (RFC
    /// 8259 section 7), all else is UTF-8. For a payload on its way to APNs, never a terminal.
    case wire
  }

  /// What has been written so far.
  public private(set) var bytes: [UInt8]

  private let style: Style
  private var depth = 0
  private var last = Last.opening

  /// What the next value or key follows.
  private enum Last { case opening, key, value }

  /// A writer that goes on after bytes that are there already; none by default.
  public init(_ style: Style = .compact, appendingTo bytes: [UInt8] = []) {
    self.style = style
    self.bytes = bytes
  }

  /// Forgets the text but keeps its memory, for a writer that is used again and again.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    depth = 0
    last = .opening
  }

  /// Ends a line with LF, after which another whole text may begin: JSON Lines.
  public mutating func endLine() {
    bytes.append(.lineFeed)
    last = .opening
  }
}

extension JSONWriter {
  /// Begins an object; members follow, each a `key` and then a value.
  public mutating func beginObject() { begin(.leftBrace) }

  /// Ends the object begun last.
  public mutating func endObject() { end(.rightBrace) }

  /// Begins an array; its elements follow.
  public mutating func beginArray() { begin(.leftBracket) }

  /// Ends the array begun last.
  public mutating func endArray() { end(.rightBracket) }

  /// Writes the key of a member; its value has to follow.
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

  /// Writes whatever separates the next key or value from what precedes it.
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

  /// Writes a string of printable ASCII that holds neither `"` nor `\`, such as a device token. It
  /// is not looked at: other bytes would break the text.
  public mutating func string(plainASCII text: some Collection<UInt8>) {
    makeRoom()
    bytes.append(.quote)
    bytes.append(contentsOf: text)
    bytes.append(.quote)
    last = .value
  }

  /// Writes a whole number.
  public mutating func integer(_ number: some BinaryInteger) { raw(number.description) }

  /// Writes the shortest spelling that reads back as the same double, and `null` for NaN and the
  /// infinities, for which JSON has no spelling.
  public mutating func double(_ number: Double) {
    raw(number.isFinite ? number.description : "null")
  }

  /// Writes a number as it was read.
  public mutating func number(_ number: JSONNumber) { raw(number.text) }

  /// Writes `true` or `false`.
  public mutating func bool(_ bool: Bool) { raw(bool ? "true" : "false") }

  /// Writes `null`.
  public mutating func null() { raw("null") }

  /// Writes a value and everything in it.
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
  /// This value as a JSON text in UTF-8. Reading it gives the same value back.
  public func encoded(_ style: JSONWriter.Style = .compact) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.value(self)
    return writer.bytes
  }

  /// This value as a JSON text.
  public func encodedString(_ style: JSONWriter.Style = .compact) -> String {
    String(decoding: encoded(style), as: UTF8.self)
  }
}
