internal import Credentials

/// What a file contains that is none of the kinds fanfare works with.
enum UnrecognizedContent: Error, Sendable, Hashable {
  /// Only white space.
  case empty
  /// Something like a credential.
  case credential(CredentialKind)
  /// A picture, an archive, a program: its noun.
  case format(String)
  /// More bytes than this limit, and not a list.
  case tooLarge(limit: Int)
  /// Text in UTF-16.
  case utf16
  /// Other text.
  case text
  /// Other bytes.
  case bytes

  /// A format that is recognized by its first bytes; nil when none is.
  static func format(of bytes: UnsafeRawBufferPointer) -> UnrecognizedContent? {
    formats.first { bytes.starts(with: $0.start) }.map { .format($0.noun) }
  }

  private static let formats: [(start: [UInt8], noun: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"), ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
    (Array("GIF8".utf8), "a GIF picture"), (Array("%PDF".utf8), "a PDF document"),
    (Array("PK\u{3}\u{4}".utf8), "a ZIP archive, such as an .ipa"),
    ([0x1F, 0x8B], "an archive packed with gzip"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ([0xCF, 0xFA, 0xED, 0xFE], "a program"), ([0xCA, 0xFE, 0xBA, 0xBE], "a program"),
    ([0xFE, 0xED, 0xFE, 0xED], "a Java keystore"), (Array("kych".utf8), "a keychain of macOS"),
    (Array("SQLite format 3".utf8), "an SQLite database"),
  ]
}
