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
