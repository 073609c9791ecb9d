internal import APNS
internal import PlainText

/// Text for people with highlighted parts: `"\(date), \("expired", .bad)"`.
///
/// It is escaped when it is printed, so it may hold text from outside as it is.
package struct StyledText: ExpressibleByStringInterpolation, Sendable {
  /// The style of a part on a terminal with colors: the parameter of its escape sequence.
  package enum Tone: String, Sendable {
    case plain = ""
    case bold = "1"
    case good = "32"
    case doubtful = "33"
    case bad = "31"
  }

  struct Span: Sendable {
    var text: String
    let tone: Tone
    /// The time that the text tells, in seconds since 1970; nil for any other text.
    var time: Int64?
    /// The address that it leads to on a terminal that has links; nil for none.
    var link: String?

    func isLike(_ other: Span) -> Bool {
      tone == other.tone && link == other.link && time == nil && other.time == nil
    }
  }

  private(set) var spans: [Span]
  /// A command or an ID to copy, or a time, which is never wrapped or cut.
  private(set) var isVerbatim = false
  /// The text to use in a table that is too wide for the terminal; nil if there is no other.
  private var short: String?
  /// A column with this heading is left out of a table that is too wide.
  private(set) var isOptional = false

  package init(_ text: String, _ tone: Tone = .plain, link: String? = nil) {
    spans = [Span(text: text, tone: tone, link: link)]
  }

  package init(stringLiteral text: String) { self.init(text) }

  package init(stringInterpolation: StringInterpolation) { spans = stringInterpolation.spans }

  package static func verbatim(_ text: String, link: String? = nil) -> StyledText {
    var styled = StyledText(text, link: link)
    styled.isVerbatim = true
    return styled
  }

  /// A time in UTC, `2026-11-24T05:12:33Z`, which is printed in the zone of the reader. It is short
  /// in a narrow table: `11-24 06:12+01`.
  package static func time(_ seconds: Int64) -> StyledText {
    var styled = StyledText("")
    styled.spans = [Span(text: ISO8601.text(seconds: seconds), tone: .plain, time: seconds)]
    styled.isVerbatim = true
    return styled.told(in: { _ in 0 })
  }

  /// The text with its times in a zone, given by its offset from UTC in seconds at a time.
  func told(in offset: (Int64) -> Int64) -> StyledText {
    var told = self
    for (index, span) in spans.enumerated() {
      guard let time = span.time else { continue }
      let local = LocalTime(time, offset: offset(time))
      told.spans[index].text = local.text
      if spans.count == 1 { told.short = local.short }
    }
    return told
  }

  /// The text with a shorter one for a table that is too wide.
  package func orShort(_ text: String) -> StyledText {
    var styled = self
    styled.short = text
    return styled
  }

  /// The heading of a column that a table leaves out when it is too wide.
  package static func optional(_ heading: String) -> StyledText {
    var styled = StyledText(heading)
    styled.isOptional = true
    return styled
  }

  /// The same texts in bold.
  var bold: StyledText {
    var heading = StyledText(plain, .bold)
    heading.short = short
    return heading
  }

  /// The shorter text, if there is one.
  var shortened: StyledText { short.map { StyledText($0, spans.first?.tone ?? .plain) } ?? self }

  package var plain: String { spans.map(\.text.printable).joined() }

  var isPlain: Bool { spans.allSatisfy { $0.tone == .plain } }

  /// Appends text, joined to the last span if the tone is the same.
  package mutating func append(_ text: String, _ tone: Tone) {
    append(Span(text: text, tone: tone))
  }

  private mutating func append(_ span: Span) {
    if span.text.isEmpty { return }
    if spans.last?.text.isEmpty ?? false { spans.removeLast() }
    if let last = spans.last, last.isLike(span) {
      spans[spans.count - 1].text += span.text
    } else {
      spans.append(span)
    }
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var spans: [Span] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ text: String) {
      spans.append(Span(text: text, tone: .plain))
    }

    package mutating func appendInterpolation(
      _ value: some CustomStringConvertible, _ tone: Tone = .plain, link: String? = nil
    ) {
      spans.append(Span(text: value.description, tone: tone, link: link))
    }

    package mutating func appendInterpolation(_ text: StyledText) { spans += text.spans }
  }
}

extension StyledText {
  /// The words on lines of at most `width` columns; a longer word gets a line of its own.
  func wrapped(at width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    for word in words {
      guard let last = lines.last, last.plain.columns + 1 + word.plain.columns <= width else {
        lines.append(word)
        continue
      }
      let (end, next) = (last.spans.last, word.spans.first)
      var blank = Span(text: " ", tone: .plain)
      if let end, let next, end.isLike(next) {
        blank = Span(text: " ", tone: end.tone, link: end.link)
      }
      for span in [blank] + word.spans { lines[lines.count - 1].append(span) }
    }
    return lines
  }

  /// The text cut off at `width` columns.
  func cut(to width: Int) -> StyledText {
    if isVerbatim || plain.columns <= width { return self }
    var (cut, room) = (StyledText(""), width - 1)
    for span in spans where room >= 0 {
      let part = span.text.printable.prefix { character in
        room -= character.columns
        return room >= 0
      }
      cut.append(Span(text: String(part), tone: span.tone, link: span.link))
    }
    cut.append("…", cut.spans.last?.tone ?? .plain)
    return cut
  }

  private var words: [StyledText] {
    var words = [StyledText("")]
    for span in spans {
      let parts = span.text.split(separator: " ", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 { words.append(StyledText("")) }
        words[words.count - 1].append(Span(text: String(part), tone: span.tone, link: span.link))
      }
    }
    return words.filter { !$0.plain.isEmpty }
  }
}

/// Adds colors and links, if they may be used, and tells times in the reader's zone.
package struct Style {
  package let hasColor: Bool
  package let hasLinks: Bool
  /// The offset from UTC in seconds, at a time in seconds since 1970.
  let offset: @Sendable (Int64) -> Int64

  package init(
    hasColor: Bool, hasLinks: Bool = false,
    offset: @escaping @Sendable (Int64) -> Int64 = { _ in 0 }
  ) {
    (self.hasColor, self.hasLinks, self.offset) = (hasColor, hasLinks, offset)
  }

  /// The same style, in a zone.
  func telling(_ offset: @escaping @Sendable (Int64) -> Int64) -> Style {
    Style(hasColor: hasColor, hasLinks: hasLinks, offset: offset)
  }

  /// The text with its parts colored and linked, safe to print.
  package func of(_ text: StyledText) -> String {
    text.told(in: offset).spans.map { linked(colored($0.text.printable, $0.tone), $0.link) }
      .joined()
  }

  /// A text that leads to an address (OSC 8).
  package func linked(_ text: String, _ address: String?) -> String {
    guard hasLinks, let address, !text.isEmpty else { return text }
    return "\u{1b}]8;;\(address.printable)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
  }

  package func bold(_ text: String) -> String { colored(text, .bold) }
  package func good(_ text: String) -> String { colored(text, .good) }
  package func bad(_ text: String) -> String { colored(text, .bad) }
  package func doubtful(_ text: String) -> String { colored(text, .doubtful) }

  func colored(_ text: String, _ tone: StyledText.Tone) -> String {
    let isColored = hasColor && tone != .plain && !text.isEmpty
    return isColored ? "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m" : text
  }
}

/// A file name quoted for bash or zsh, and safe to print: control characters become `\033` and the
/// like.
package func shellWord(_ path: String) -> String {
  shellQuoted(path.hasPrefix("-") ? "./" + path : path)
}

/// Any text quoted for bash or zsh, and equally safe to print.
package func shellQuoted(_ text: String) -> String {
  // zsh expands = only at the start of a word.
  if !text.isEmpty, text.first != "=", text.allSatisfy(isPlain) { return text }
  if text.unicodeScalars.allSatisfy({ $0.printable == String($0) }) {
    // By scalars, because a quote with a combining accent is another character.
    return "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
  return "$'" + text.unicodeScalars.map(escaped).joined() + "'"
}

private func isPlain(_ character: Character) -> Bool {
  character.isASCII && (character.isLetter || character.isNumber)
    || "_./-+:@%,=".contains(character)
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
  if scalar.printable == String(scalar) { return String(scalar) }
  // Octal escapes end after three digits; hexadecimal ones would swallow what follows.
  return String(scalar).utf8.map { byte in
    let digits = String(byte, radix: 8)
    return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
  }.joined()
}
