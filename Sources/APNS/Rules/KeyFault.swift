import JSONText

/// A fault of a key or its value, according to the key's row in ``PayloadKey/table``.
enum KeyFault {
  // Faults of the value.
  case null, kind, `switch`, word, range, milliseconds, epoch, channel
  // Faults of a name.
  case blank, path, soundFormat, typeName
  // Faults of the key.
  case unknown, otherType, otherEvent, ended

  /// The fault of a value; nil if there is none.
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
    // A blank one counts as missing, which has its own rule.
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

  // 1e11 seconds is the year 5138; as milliseconds it is 1973. No push concerns a time before 2001:
  // such a number counts from 2001, like Foundation's Date, or from now.
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

  // Formats that iOS plays, but not as notification sounds.
  private static let unplayedFormats: Set = ["mp3", "m4a", "aac", "mp4", "ogg", "opus", "flac"]
}

extension String {
  /// True for the name of a Swift type: an identifier without a module or generic arguments.
  var isTypeName: Bool {
    guard let first = unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isAlphabetic)
      && unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }
}

/// A member of a payload in an object whose keys are defined by Apple.
struct AppleMember {
  /// The object that contains it.
  let parent: PayloadKeyNode
  /// The row of its key; nil for a key that Apple does not define there.
  let node: PayloadKeyNode?
  /// The key and its value.
  let member: JSONMember

  /// The path of the value in the payload.
  var path: PayloadPath { node?.path ?? parent.path.key(member.key) }
}

extension ExaminedDraft {
  /// The faults of the members of `aps` and its objects defined by Apple, and of members next to
  /// `aps` that the push type uses.
  func findKeyFaults() -> [(fault: KeyFault, member: AppleMember)] {
    var search = KeyFaultSearch(
      type: knownType, event: apsParts?.event, ownKey: PayloadKeyNode.own(of: knownType))
    for member in root?.members ?? [] {
      guard let node = PayloadKeyNode.root.children[member.key], isLookedAt(node) else { continue }
      search.look(at: member, node, in: .root)
    }
    return search.found
  }

  private func isLookedAt(_ node: PayloadKeyNode) -> Bool {
    if node === PayloadKeyNode.aps { return true }
    return knownType.map(node.key.types.contains) ?? false
  }
}

/// Walks a payload and ``PayloadKey/table`` in parallel.
private struct KeyFaultSearch {
  let type: PushType?
  let event: LiveActivityEvent?
  /// A key with its own, more specific rule for the push type.
  let ownKey: PayloadKeyNode?
  var found: [(fault: KeyFault, member: AppleMember)] = []

  mutating func look(at member: JSONMember, _ node: PayloadKeyNode, in parent: PayloadKeyNode) {
    let place = AppleMember(parent: parent, node: node, member: member)
    if let fault = valueFault(member.value, node) { found.append((fault, place)) }
    if let type, !node.key.types.isEmpty, !node.key.types.contains(type) {
      found.append((.otherType, place))
    } else if let event, !node.key.events.isEmpty, !node.key.events.contains(event) {
      found.append((.otherEvent, place))
    }
    if node.key.ended != nil { found.append((.ended, place)) }
    guard !node.children.isEmpty, case .object(let object) = member.value.content else { return }
    for inner in object.members {
      guard let child = node.children[inner.key] else {
        found.append((.unknown, AppleMember(parent: node, node: nil, member: inner)))
        continue
      }
      look(at: inner, child, in: node)
    }
  }

  private func valueFault(_ value: JSON, _ node: PayloadKeyNode) -> KeyFault? {
    if node === PayloadKeyNode.aps || node === ownKey { return nil }
    return KeyFault(of: value, for: node, type)
  }
}
