import JSONText

/// What can be wrong with the value of a key, going by its row in ``PayloadKey/table``.
enum KeyFault {
  // Of the value.
  case null, kind, `switch`, word, range, milliseconds, epoch, channel
  // Of the key.
  case unknown, otherType, otherEvent

  /// The fault of a value; nil when it has none.
  init?(of value: JSON, for node: PayloadKeyNode, _ type: PushType?) {
    if case .null = value.content {
      self = .null
    } else if !node.key.kinds.contains(where: { $0.matches(value) }) {
      self = Self.ofKind(value, node.key)
    } else if let fault = Self.ofValue(value, node.key.values) {
      if let type, node.key.isOpenFor.contains(type) { return nil }
      self = fault
    } else {
      return nil
    }
  }

  private static func ofKind(_ value: JSON, _ key: PayloadKey) -> KeyFault {
    switch (value.content, key.values) {
    case (.bool, .one), (.bool, .wholeNumbers(0...1)): .switch
    default: .kind
    }
  }

  private static func ofValue(_ value: JSON, _ values: PayloadKey.Values) -> KeyFault? {
    switch (values, value.content) {
    case (.any, _): nil
    case (.words(let words), .string(let text)): words.contains(text) ? nil : .word
    case (.base64, .string(let text)): isBase64(text) ? nil : .channel
    case (.yes, .bool(let bool)): bool ? nil : .switch
    case (_, .number(let number)): ofNumber(number.double, values)
    default: nil
    }
  }

  private static func ofNumber(_ number: Double, _ values: PayloadKey.Values) -> KeyFault? {
    switch values {
    case .one: number == 1 ? nil : .switch
    case .numbers(let range): range.contains(number) ? nil : .range
    case .wholeNumbers(let range):
      number.whole.map(range.contains) ?? false ? nil : .range
    case .moment(let anyPast): ofMoment(number, anyPast: anyPast)
    default: nil
    }
  }

  // 1e11 seconds are the year 5138; in milliseconds they are 1973. A moment before 2001 is none
  // of a push, but one counted from 2001, as Foundation's Date does.
  private static func ofMoment(_ seconds: Double, anyPast: Bool) -> KeyFault? {
    if seconds >= 1e11 { return .milliseconds }
    if seconds < 0 { return .range }
    return seconds < 1e9 && !anyPast ? .epoch : nil
  }

  private static func isBase64(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0.isBase64Digit }
    return !text.isEmpty && text.utf8.count.isMultiple(of: 4) && digits.count <= 2
      && digits.allSatisfy { $0 == UInt8(ascii: "=") }
  }
}
