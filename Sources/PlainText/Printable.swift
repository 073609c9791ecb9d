extension Unicode.Scalar {
  /// The character itself, or an escape such as `\u{1b}` if a terminal would act on it, if it
  /// changes the writing direction, or if it is invisible (CWE-150).
  public var printable: String {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      "\\u{" + String(value, radix: 16) + "}"
    default: String(self)
    }
  }
}

extension StringProtocol {
  /// The text with every unprintable character escaped: safe to show, whatever its source.
  /// Invisible scalars that hold one emoji together are kept.
  public var printable: String {
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return String(self) }
    return unicodeScalars.contains(where: \.joinsEmoji)
      ? map { $0.isJoinedEmoji ? String($0) : $0.escaped }.joined()
      : unicodeScalars.map(\.printable).joined()
  }
}

extension Character {
  fileprivate var escaped: String { unicodeScalars.map(\.printable).joined() }
}

extension StringProtocol {
  /// The number of terminal columns the text takes.
  public var columns: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + $1.columns }
  }
}

extension Character {
  /// The number of terminal columns the character takes: two for East Asian wide characters and for
  /// emoji, however many scalars an emoji consists of; none for a mark on its own; otherwise one.
  public var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isWide || first.properties.isEmojiPresentation {
      // A variation selector can request the text form of an emoji.
      return unicodeScalars.contains("\u{FE0E}") && !first.isWide ? 1 : 2
    }
    if unicodeScalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return 1
    }
  }

  /// True for a single emoji held together by joiners or tags, such as a family or a flag.
  var isJoinedEmoji: Bool {
    let scalars = unicodeScalars
    guard let first = scalars.first, let last = scalars.last, first.properties.isEmoji,
      first.value > 0x7F, 2...12 ~= scalars.count, last != .joiner
    else { return false }
    let rest = scalars.dropFirst()
    if first.value == 0x1F3F4, last == .tagEnd { return rest.allSatisfy(\.isTag) }
    return rest.allSatisfy { $0 == .joiner || $0 == "\u{FE0F}" || $0.properties.isEmoji }
  }
}

extension Unicode.Scalar {
  /// U+200D ZERO WIDTH JOINER, which combines several emoji into one.
  fileprivate static let joiner: Unicode.Scalar = "\u{200D}"
  /// U+E007F CANCEL TAG, which ends the tags that name a flag's region.
  fileprivate static let tagEnd: Unicode.Scalar = "\u{E007F}"

  fileprivate var isTag: Bool { 0xE0020...0xE007F ~= value }

  /// True for a scalar that occurs in emoji sequences and in nothing else printable.
  var joinsEmoji: Bool { self == .joiner || isTag }

  /// An approximation of East Asian Wide and Fullwidth (Unicode Standard Annex 11).
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

extension StringProtocol {
  /// Expands a `~` that the shell left at the start of this path, as in `--history=~/h.sqlite`.
  ///
  /// - Parameter home: The home folder; nil or empty leaves the path as it is.
  public func expandingTilde(_ home: String?) -> String {
    guard let home, !home.isEmpty, self == "~" || hasPrefix("~/") else { return String(self) }
    return home + dropFirst()
  }
}
