import JSONText
import PlainText

/// What can be wrong with the value of a key, going by its row in ``PayloadKey/table``.
enum KeyFault {
  case null, placeholder, kind, `switch`, word, range, milliseconds, epoch, channel

  /// The fault of a value; nil when it has none.
  init?(of value: JSON, for key: PayloadKey, _ type: PushType?) {
    if case .null = value.content {
      self = .null
    } else if !key.kinds.contains(where: { $0.matches(value) }) {
      self = Self.ofKind(value, key)
    } else if let type, key.isOpenFor.contains(type) {
      return nil
    } else if let fault = Self.ofValue(value, key.values) {
      self = fault
    } else {
      return nil
    }
  }

  private static func ofKind(_ value: JSON, _ key: PayloadKey) -> KeyFault {
    switch (value.content, key.values) {
    case (.string(let text), _) where isPlaceholder(text): .placeholder
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
      Int(exactly: number).map(range.contains) ?? false ? nil : .range
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

  private static func isPlaceholder(_ text: String) -> Bool {
    text.hasPrefix("{{") && text.hasSuffix("}}") && text.utf8.count > 4
  }

  private static func isBase64(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0.isBase64Digit }
    return !text.isEmpty && text.utf8.count.isMultiple(of: 4) && digits.count <= 2
      && digits.allSatisfy { $0 == UInt8(ascii: "=") }
  }
}

extension KeyFault {
  /// What is wrong with the value of a key, and where.
  func findings(_ payload: DraftPayload, _ key: PayloadKey, _ member: AppleMember) -> [Finding] {
    let value = member.member.value
    guard self == .kind, key.kinds == [.texts], case .array(let elements) = value.content else {
      return [
        payload.finding(member.path, value, message(key, value), fix: fix(key, value))
      ]
    }
    return elements.indices.filter { elements[$0].string == nil }.map { index in
      let message = "\(member.path.index(index)) is \(elements[index].kind), not text."
      return payload.finding(member.path.index(index), elements[index], message)
    }
  }

  private func message(_ key: PayloadKey, _ value: JSON) -> String {
    let wanted = key.values.text ?? alternatives(key.kinds.map(\.noun))
    return switch self {
    case .null: "\(key.path) is null."
    case .placeholder:
      "\(key.path) is the placeholder \(written(value)): templates are not filled here."
    case .kind: "\(key.path) is \(value.kind), not \(alternatives(key.kinds.map(\.noun)))."
    case .switch, .word, .range: "\(key.path) is \(written(value)), not \(wanted)."
    case .milliseconds: "\(key.path) is \(written(value)), too large for seconds since 1970."
    case .epoch: "\(key.path) is \(written(value)), which is before 2001."
    case .channel: "\(key.path) is not base64."
    }
  }

  private func fix(_ key: PayloadKey, _ value: JSON) -> String? {
    guard case .words(let words) = key.values, let text = value.string else { return nil }
    let near = Suggestion.near(text.lowercased(), among: words).first
    return near.map { "Did you mean \($0)?" } ?? "Give \(alternatives(words))."
  }

  private func written(_ value: JSON) -> String {
    if let text = value.string { return quoted(text) }
    return printable(value.encodedString())
  }
}

extension PayloadKey.Kind {
  fileprivate var noun: String {
    switch self {
    case .text: "text"
    case .number: "a number"
    case .bool: "true or false"
    case .object: "an object"
    case .texts: "an array of text"
    }
  }
}
