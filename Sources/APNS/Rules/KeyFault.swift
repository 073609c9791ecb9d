import JSONText

/// What can be wrong with the value of a key, going by its row in ``PayloadKey/table``.
enum KeyFault {
  // Of the value.
  case null, kind, `switch`, word, range, milliseconds, epoch, channel
  // Of a name.
  case blank, path, soundFormat, typeName
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
    case (.base64, .string(let text)): (try? ChannelID(text)) != nil ? nil : .channel
    case (.yes, .bool(let bool)): bool ? nil : .switch
    case (.soundFile, .string(let text)): ofSound(text)
    // A blank one is as good as missing, which is another rule's business.
    case (.typeName, .string(let text)): text.isBlank || text.isTypeName ? nil : .typeName
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
    case .moment(let allowsZero): allowsZero && number == 0 ? nil : ofMoment(number)
    default: nil
    }
  }

  // 1e11 seconds are the year 5138; in milliseconds they are 1973. No push is about a moment before
  // 2001: such a number is counted from 2001, as Foundation's Date does, or from now.
  private static func ofMoment(_ seconds: Double) -> KeyFault? {
    if seconds >= 1e11 { return .milliseconds }
    if seconds < 0 { return .range }
    return seconds < 1e9 ? .epoch : nil
  }

  private static func ofSound(_ name: String) -> KeyFault? {
    if name.isBlank { return .blank }
    if name.contains(where: { $0 == "/" || $0 == "\\" }) { return .path }
    let format = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    return format.map(unplayedFormats.contains) ?? false ? .soundFormat : nil
  }

  // Sounds that iOS plays elsewhere, but not with a notification.
  private static let unplayedFormats: Set = ["mp3", "m4a", "aac", "mp4", "ogg", "opus", "flac"]
}

extension String {
  /// Whether this is the name of a Swift type: an identifier, without a module or a generic argument.
  var isTypeName: Bool {
    guard let first = unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isAlphabetic)
      && unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }
}
