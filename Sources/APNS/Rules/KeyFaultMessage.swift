import JSONText
import PlainText

extension KeyFault {
  /// The findings for a member with this fault.
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
      case .ended: "\(key.path) has had no effect since \(key.ended ?? "")."
      case .otherEvent: unused(key, "with the event \(draft.apsParts?.event?.rawValue ?? "")")
      default: self.message(key, value)
      }
    let fix = fix(key, value, now: draft.context.now)
    return [payload.finding(member.path, value, message, fix: fix)]
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
    case .channel: "\(key.path) \(channelFault(value)?.fault ?? "is not base64")."
    case .blank: "\(key.path) is empty."
    case .path: "\(key.path) is \(written(value)), a path."
    case .soundFormat:
      "\(key.path) is \(written(value)), which iOS cannot play with a notification."
    default: "\(key.path) is \(written(value)), not \(wanted)."
    }
  }

  private func fix(_ key: PayloadKey, _ value: JSON, now: Int64) -> String? {
    switch (self, key.values) {
    case (.word, .words(let words)): value.string.map { word($0, among: words) }
    case (.kind, .moment): value.string.map(date)
    case (.kind, _): otherKind(key, value)
    case (.epoch, .moment): value.number.flatMap(\.double.whole).flatMap { date($0, now: now) }
    case (.switch, .wholeNumbers), (.switch, .one):
      value.bool == true ? "Write 1: true is not a number." : nil
    case (.channel, _): channelFault(value)?.fix
    case (.path, _): lastName(in: value, after: ["/", "\\"]).map { "Use \(quoted($0))." }
    case (.typeName, _):
      lastName(in: value, after: ["."]).flatMap {
        $0.isTypeName ? "Use \(quoted($0)), without the module." : nil
      }
    default: nil
    }
  }

  /// The fix for a value of another type, which a text may hold.
  private func otherKind(_ key: PayloadKey, _ value: JSON) -> String? {
    let inner = value.string.flatMap { try? JSONReader().read($0) }
    if let inner, let kind = key.kinds.first(where: { $0.matches(inner) }) {
      return "Write the \(kind.bareNoun) itself, without quotes around it."
    }
    if key.path == PayloadKey.badge, value.string != nil {
      return "APNs cannot count: work out the number, and write it without quotes."
    }
    return key.kinds.first.map { "Write \($0.example)." }
  }

  private func channelFault(_ value: JSON) -> ChannelIDError? {
    do throws(ChannelIDError) {
      _ = try ChannelID(value.string ?? "")
      return nil
    } catch {
      return error
    }
  }

  private func word(_ text: String, among words: [String]) -> String {
    let near = Suggestion.near(text.lowercased(), among: words).first
    return near.map { "Did you mean \($0)?" } ?? "Use \(alternatives(words))."
  }

  // The text after the last separator, unless it is blank or there is no separator.
  private func lastName(in value: JSON, after separators: Set<Character>) -> String? {
    guard let text = value.string, let index = text.lastIndex(where: separators.contains) else {
      return nil
    }
    let name = String(text[text.index(after: index)...])
    return name.isBlank ? nil : name
  }

  // The fix for a date written as text.
  private func date(_ text: String) -> String {
    if let seconds = ISO8601.seconds(text) {
      return "Write \(seconds), which is that time in seconds since 1970."
    }
    if !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return "Remove the quotes." }
    return "Write seconds since 1970, or \"{{now}}\" for the time of sending."
  }

  // The fix for a date counted from 2001 or from now; nil if it looks like neither.
  private func date(_ seconds: Int, now: Int64) -> String? {
    let sinceEpoch = Int64(seconds) + 978_307_200
    if (sinceEpoch - now).magnitude < 366 * 86_400 {
      return "Write \(sinceEpoch): this is counted from 2001, as Foundation's Date does."
    }
    return !(1...31 * 86_400 ~= seconds)
      ? nil : "Write \"{{now+\(seconds)s}}\": a date, not a duration."
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
      "\(quoted(member.key)) is not one of Apple's keys in \(place.parent.path).",
      fix: suggestion(for: place))
  }

  private func suggestion(for place: AppleMember) -> String? {
    let name = place.member.key
    if let path = PayloadKey.table.first(where: { $0.path.hasSuffix("." + name) })?.path {
      let parent = path.split(separator: ".").dropLast().last ?? ""
      return "Write \"\(parent)\": {\"\(name)\": …}, or move it next to aps if it is the app's own."
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

  fileprivate var bareNoun: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .bool: "word"
    case .object: "object"
    case .texts: "array"
    }
  }

  fileprivate var example: String {
    switch self {
    case .text: "text, in quotes"
    case .number: "a number, without quotes, such as 3"
    case .bool: "true or false, without quotes"
    case .object: "an object, in braces"
    case .texts: "an array of texts, such as [\"Ada\", \"3\"]"
    }
  }
}
