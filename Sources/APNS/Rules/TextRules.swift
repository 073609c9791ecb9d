import JSONText

extension RuleTable {
  /// The rules about what a device shows of a text as it stands.
  static let textRules: [Rule] = [
    Rule(
      "text-code", .warning, about: .payload,
      summary: "A text has its characters themselves, not codes for them such as \\n or &amp;.",
      fix: "Write the character itself.", source: Source.payload
    ) { draft, _ in
      shownTexts(of: draft).compactMap { payload, path, value in
        value.string.flatMap(TextCode.first).map { code in
          let message = "\(path) is shown with \(printable(code.text)) in it."
          return payload.finding(path, value, message, fix: code.fix)
        }
      }
    },
    Rule(
      "text-json", .warning, about: .payload,
      summary: "A text is not a JSON object in quotes.",
      fix: "Write the object itself, without quotes around it.", source: Source.payload
    ) { draft, _ in
      shownTexts(of: draft).compactMap { payload, path, value in
        guard let text = value.string, text.utf8.first == UInt8(ascii: "{"),
          (try? JSONReader().read(text)) != nil
        else { return nil }
        return payload.finding(path, value, "\(path) is JSON in a text, which is shown as it is.")
      }
    },
  ]

  private typealias ShownText = (payload: DraftPayload, path: PayloadPath, value: JSON)

  /// The texts of an alert and the arguments of its localized texts.
  private static func shownTexts(of draft: ExaminedDraft) -> [ShownText] {
    guard let parts = draft.apsParts, let alert = parts.aps["alert"] else { return [] }
    let path = PayloadPath("aps", "alert")
    guard let members = alert.object?.members else { return [(parts.payload, path, alert)] }
    return members.flatMap { member in
      let (inside, path) = (member.value.object?.members ?? [], path.key(member.key))
      return texts(member, at: path) + inside.flatMap { texts($0, at: path.key($0.key)) }
    }.map { (parts.payload, $0.path, $0.value) }
  }

  private static func texts(
    _ member: JSONMember, at path: PayloadPath
  ) -> [(path: PayloadPath, value: JSON)] {
    switch member.key {
    case "title", "subtitle", "body": return [(path, member.value)]
    case _ where member.key.hasSuffix("loc-args"):
      return (member.value.array ?? []).enumerated().map { (path.index($0), $1) }
    default: return []
    }
  }
}

/// A code for a character in some language, which a device shows as it stands.
struct TextCode {
  /// The code: `\n`, `\ud83d\ude09`, `&amp;`, `%0A`.
  let text: Substring
  /// The character it stands for; nil if it stands for none alone.
  private let character: Unicode.Scalar?

  private init(_ text: Substring, _ character: Unicode.Scalar?) {
    (self.text, self.character) = (text, character)
  }

  /// The first code in a text; nil for none.
  static func first(in text: String) -> TextCode? {
    guard text.utf8.contains(where: { "\\&%".utf8.contains($0) }) else { return nil }
    return text.indices.lazy.filter { "\\&%".contains(text[$0]) }
      .compactMap { code(startOf: text[$0...]) }.first
  }

  /// The advice to write the character.
  var fix: String {
    switch character {
    case "\n": "Write a line break: \\n with one backslash in JSON, $'…\\n…' in a shell."
    case "\t": "Write a tab: \\t with one backslash in JSON, $'…\\t…' in a shell."
    case let character? where character.properties.generalCategory != .spaceSeparator:
      "Write \(printable(String(character))) itself."
    default: "Write the character itself."
    }
  }

  private static func code(startOf text: Substring) -> TextCode? {
    if let (code, character) = fixed.first(where: { text.hasPrefix($0.0) }) {
      return TextCode(text.prefix(code.count), character)
    }
    for (start, radix, digits, end) in numbered where text.hasPrefix(start) {
      let number = text.dropFirst(start.count).prefix(digits.upperBound)
        .prefix { $0.isHexDigit }
      let isWhole =
        digits.contains(number.count)
        && text.dropFirst(start.count + number.count).hasPrefix(end)
      guard isWhole, let value = UInt32(number, radix: radix) else { continue }
      let code = text.prefix(start.count + number.count + end.count)
      if 0xD800..<0xDC00 ~= value { return pair(value, code, in: text) }
      return TextCode(code, Unicode.Scalar(value))
    }
    return nil
  }

  /// Two halves of a surrogate pair, or a lone one.
  private static func pair(_ high: UInt32, _ code: Substring, in text: Substring) -> TextCode {
    let rest = text.dropFirst(code.count)
    let digits = rest.dropFirst(2).prefix(4)
    guard rest.hasPrefix("\\u"), let low = UInt32(digits, radix: 16), 0xDC00..<0xE000 ~= low else {
      return TextCode(code, nil)
    }
    let value = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
    return TextCode(text.prefix(code.count + 6), Unicode.Scalar(value))
  }

  private static let fixed: [(String, Unicode.Scalar)] = [
    ("\\n", "\n"), ("\\r", "\n"), ("\\t", "\t"), ("\\\"", "\""), ("%0A", "\n"), ("%0a", "\n"),
    ("%0D", "\n"), ("%20", " "), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""),
    ("&apos;", "'"), ("&nbsp;", "\u{A0}"),
  ]

  private static let numbered:
    [(start: String, radix: Int, digits: ClosedRange<Int>, end: String)] =
      [
        ("\\u{", 16, 1...6, "}"), ("\\u", 16, 4...4, ""), ("\\U", 16, 8...8, ""),
        ("\\x", 16, 2...2, ""), ("&#x", 16, 1...6, ";"), ("&#", 10, 1...7, ";"),
      ]
}
