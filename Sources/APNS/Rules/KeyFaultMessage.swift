import JSONText
import PlainText

extension KeyFault {
  /// What is wrong with a member, and where.
  func findings(
    _ payload: DraftPayload, _ member: AppleMember, _ draft: ExaminedDraft
  ) -> [Finding] {
    guard let key = member.node?.key else { return [unknown(payload, member)] }
    let value = member.member.value
    if self == .kind, key.kinds == [.texts], case .array(let elements) = value.content {
      return otherElements(in: elements, payload, member.path)
    }
    let message =
      switch self {
      case .otherType: unused(key, "in a push of type \(draft.knownType?.rawValue ?? "")")
      case .otherEvent: unused(key, "with the event \(draft.apsParts?.event?.rawValue ?? "")")
      default: self.message(key, value)
      }
    return [payload.finding(member.path, value, message, fix: fix(key, value))]
  }

  private func otherElements(
    in elements: [JSON], _ payload: DraftPayload, _ path: PayloadPath
  ) -> [Finding] {
    elements.indices.filter { elements[$0].string == nil }.map { index in
      let message = "\(path.index(index)) is \(elements[index].kind), not text."
      return payload.finding(path.index(index), elements[index], message)
    }
  }

  private func unused(_ key: PayloadKey, _ place: String) -> String {
    "\(key.path) has no effect \(place)."
  }

  private func message(_ key: PayloadKey, _ value: JSON) -> String {
    let kinds = alternatives(key.kinds.map(\.noun))
    let wanted = key.values.text ?? kinds
    return switch self {
    case .null: "\(key.path) is null."
    case .kind: "\(key.path) is \(value.kind), not \(kinds)."
    case .milliseconds: "\(key.path) is \(written(value)), too large for seconds since 1970."
    case .epoch: "\(key.path) is \(written(value)), which is before 2001."
    case .channel: "\(key.path) is not base64."
    default: "\(key.path) is \(written(value)), not \(wanted)."
    }
  }

  private func fix(_ key: PayloadKey, _ value: JSON) -> String? {
    guard self == .word, case .words(let words) = key.values, let text = value.string else {
      return nil
    }
    let near = Suggestion.near(text.lowercased(), among: words).first
    return near.map { "Did you mean \($0)?" } ?? "Use \(alternatives(words))."
  }

  private func written(_ value: JSON) -> String {
    if let text = value.string { return quoted(text) }
    return printable(value.encodedString())
  }
}

extension KeyFault {
  private func unknown(_ payload: DraftPayload, _ place: AppleMember) -> Finding {
    let member = place.member
    return payload.finding(
      place.path, at: member.keyPosition ?? member.value.position,
      "\(place.parent.path) has no key \(quoted(member.key)).", fix: suggestion(for: place))
  }

  private func suggestion(for place: AppleMember) -> String? {
    let name = place.member.key
    if let path = PayloadKey.table.first(where: { $0.path.hasSuffix("." + name) })?.path {
      return "Move it to \(path), or next to aps if it is the app's own."
    }
    let near = Suggestion.near(name, among: place.parent.children.keys.sorted()).first
    return near.map { "Did you mean \($0)?" }
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
