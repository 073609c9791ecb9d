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
      if slot.influence != .none { slot.appendTraits(of: payload[start...], to: &traits) }
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
    withUnsafeBytes(of: UInt64(bytes.count)) { traits.append(contentsOf: $0) }
    traits.append(contentsOf: bytes)
  }
}

extension ArraySlice<UInt8> {
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
