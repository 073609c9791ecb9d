/// A payload compiled into the bytes common to all rows and the slots between them.
struct TemplateForm: Sendable {
  /// The variables, without duplicates, in the order of the payload.
  var names: [String] = []
  /// The bytes common to all rows.
  var literal: [UInt8] = []
  /// The placeholders, in the order of the payload.
  var slots: [TemplateSlot] = []
  /// The problems of the placeholders as written.
  var problems: [Problem] = []

  /// The variables that every row has to provide.
  var neededNames: [String] {
    let needed = Set(slots.filter { $0.fixed == nil && $0.fallback == nil }.map(\.name))
    return names.indices.filter(needed.contains).map { names[$0] }
  }

  /// Appends the payload of a row, and to `traits` what matters to rules about its values.
  ///
  /// - Returns: true if every slot could be filled.
  func write(
    _ values: TemplateValues, into payload: inout [UInt8], traits: inout [UInt8]
  ) -> Bool {
    var done = 0
    for slot in slots {
      payload.append(contentsOf: literal[done..<slot.literalEnd])
      done = slot.literalEnd
      let start = payload.count
      let fault = values.withValue(at: slot.name) { slot.fill($0, $1, into: &payload) }
      if fault != nil { return false }
      let written = payload[start...]
      if written.mayOverflow { slot.appendNumbers(in: written, to: &traits) }
      if slot.influence != .none { slot.appendTraits(of: written, to: &traits) }
    }
    payload.append(contentsOf: literal[done...])
    return true
  }

  /// The slots that cannot be filled with a row's values.
  func faults(_ values: TemplateValues) -> [(slot: TemplateSlot, fault: SlotFault)] {
    var discarded: [UInt8] = []
    return slots.compactMap { slot in
      values.withValue(at: slot.name) { slot.fill($0, $1, into: &discarded) }.map { (slot, $0) }
    }
  }
}

extension TemplateSlot {
  /// Appends the traits of the slot's bytes that matter to rules: values with the same traits break
  /// the same rules.
  fileprivate func appendTraits(of bytes: ArraySlice<UInt8>, to traits: inout [UInt8]) {
    let kind = influence == .blankness ? (bytes.isBlankJSON ? 0 : 1) : bytes.kind
    traits.append(kind)
    let isStructure = kind == UInt8(ascii: "{") || kind == UInt8(ascii: "[")
    guard influence == .value || (influence == .kindAndInside && isStructure) else { return }
    append(bytes, to: &traits)
  }

  /// Appends the bytes of a slot whose numbers may be too large, which is told wherever they are.
  fileprivate func appendNumbers(in bytes: ArraySlice<UInt8>, to traits: inout [UInt8]) {
    // Not the kind of any value, so that these traits are no others'.
    traits.append(2)
    withUnsafeBytes(of: UInt64(literalEnd)) { traits.append(contentsOf: $0) }
    append(bytes, to: &traits)
  }

  private func append(_ bytes: ArraySlice<UInt8>, to traits: inout [UInt8]) {
    withUnsafeBytes(of: UInt64(bytes.count)) { traits.append(contentsOf: $0) }
    traits.append(contentsOf: bytes)
  }
}

extension ArraySlice<UInt8> {
  /// True if a number in this value may be too large for a double: it has an exponent, or hundreds
  /// of digits.
  fileprivate var mayOverflow: Bool {
    guard let first, first &- 0x30 < 10 || "-{[".utf8.contains(first) else {
      return false
    }
    return count > 300
      || zip(self, dropFirst()).contains { $0 &- 0x30 < 10 && $1 | 0x20 == UInt8(ascii: "e") }
  }

  /// A byte for each JSON type, plus one for blank text.
  fileprivate var kind: UInt8 {
    switch first {
    case UInt8(ascii: "\"")?: dropFirst().dropLast().isBlankJSON ? 0 : UInt8(ascii: "\"")
    case let byte? where byte == UInt8(ascii: "-") || byte &- 0x30 < 10: UInt8(ascii: "0")
    case let byte?: byte
    case nil: 0
    }
  }
}

/// A text split into constant parts and placeholders.
struct TemplateText {
  /// The parts in order; there are never two texts in a row.
  private(set) var pieces: [TemplatePiece] = []
  /// The invalid placeholders, each with its text.
  private(set) var faults: [(fault: PlaceholderFault, text: String)] = []

  /// Returns true if rendering the text differs from copying it.
  static func isTemplate(_ text: String) -> Bool { text.utf8.contains(pair: UInt8(ascii: "{")) }

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var plain = String.UnicodeScalarView()
    var offset = 0
    while offset < scalars.count {
      let braces = scalars[offset...].prefix(4).prefix { $0 == "{" }.count
      if braces < 2 {
        plain.append(scalars[offset])
        offset += 1
      } else if braces == 4 {
        plain.append(contentsOf: ["{", "{"])
        offset += 4
      } else {
        append(plain)
        plain.removeAll()
        offset = readPlaceholder(in: scalars, at: offset)
      }
    }
    append(plain)
  }

  /// The placeholder that is the whole text; otherwise nil.
  var onlyPlaceholder: Placeholder? {
    if pieces.count == 1, case .placeholder(let placeholder) = pieces[0] {
      placeholder
    } else {
      nil
    }
  }

  private mutating func append(_ plain: String.UnicodeScalarView) {
    if !plain.isEmpty { pieces.append(.text(String(plain))) }
  }

  /// Reads a placeholder and returns the offset after it, or after the next `}}` if it is invalid.
  private mutating func readPlaceholder(in scalars: [Unicode.Scalar], at start: Int) -> Int {
    var reader = PlaceholderReader(scalars, from: start + 2)
    do throws(PlaceholderFault) {
      pieces.append(.placeholder(try reader.read()))
      return reader.offset
    } catch {
      let end = Self.end(of: scalars, from: start + 2) ?? scalars.count
      let text = String(String.UnicodeScalarView(scalars[start..<end]))
      faults.append((error, text))
      return end
    }
  }

  private static func end(of scalars: [Unicode.Scalar], from start: Int) -> Int? {
    let last = scalars.indices.dropLast()
    return last.first { $0 >= start && scalars[$0] == "}" && scalars[$0 + 1] == "}" }.map { $0 + 2 }
  }
}

extension String.UTF8View {
  fileprivate func contains(pair byte: UInt8) -> Bool {
    var last: UInt8 = 0
    for next in self {
      if next == byte, last == byte { return true }
      last = next
    }
    return false
  }
}

extension Collection<UInt8> {
  /// True for a number in JSON's form (RFC 8259 section 6), with nothing around it.
  var isJSONNumber: Bool {
    var rest = self[...]
    rest.skip { $0 == UInt8(ascii: "-") }
    let whole = rest.skipDigits()
    guard whole.count == 1 || (whole.count > 1 && whole.first != UInt8(ascii: "0")) else {
      return false
    }
    if rest.skip(where: { $0 == UInt8(ascii: ".") }), rest.skipDigits().isEmpty { return false }
    if rest.skip(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      rest.skip { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      if rest.skipDigits().isEmpty { return false }
    }
    return rest.isEmpty
  }
}

extension Collection<UInt8> where SubSequence == Self {
  @discardableResult
  fileprivate mutating func skip(where isMeant: (UInt8) -> Bool) -> Bool {
    guard let first, isMeant(first) else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func skipDigits() -> SubSequence {
    let digits = prefix { $0 &- 0x30 < 10 }
    self = dropFirst(digits.count)
    return digits
  }
}
