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
    unicodeScalars.contains(where: \.joinsEmoji)
      ? map { $0.isJoinedEmoji ? String($0) : $0.escaped }.joined()
      : unicodeScalars.map(\.printable).joined()
  }
}

extension Character {
  fileprivate var escaped: String { unicodeScalars.map(\.printable).joined() }
}
