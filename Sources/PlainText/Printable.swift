extension Unicode.Scalar {
  /// The character itself, or its number as `\u{1b}` where a terminal would act on it, where it
  /// turns the writing direction, or where it shows nothing at all (CWE-150).
  public var printable: String {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      "\\u{" + String(value, radix: 16) + "}"
    default: String(self)
    }
  }
}

extension StringProtocol {
  /// The text with every character in it made printable: safe to show, no matter who wrote it. The
  /// invisible scalars that hold one emoji together stay.
  public var printable: String {
    unicodeScalars.contains(where: \.joinsEmoji)
      ? map { $0.isJoinedEmoji ? String($0) : $0.escaped }.joined()
      : unicodeScalars.map(\.printable).joined()
  }
}

extension Character {
  fileprivate var escaped: String { unicodeScalars.map(\.printable).joined() }
}
