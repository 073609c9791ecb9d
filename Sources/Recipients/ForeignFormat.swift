/// A kind of file that is taken for a list of device tokens, or for a credential.
package struct ForeignFormat: Sendable {
  /// The bytes at its start.
  private let start: [UInt8]

  /// The kind, with an article.
  package let noun: String

  /// The way to a list, as a sentence.
  let advice: String

  private init(_ start: [UInt8], _ noun: String, _ advice: String) {
    (self.start, self.noun, self.advice) = (start, noun, advice)
  }

  private init(_ start: String, _ noun: String, _ advice: String) {
    self.init(Array(start.utf8), noun, advice)
  }

  /// The kind of a file that begins with these bytes; nil for another.
  package static func of(_ bytes: some Collection<UInt8>) -> ForeignFormat? {
    binaries.first { bytes.starts(with: $0.start) }
  }

  /// The kind of a list; nil for one that can be read.
  static func ofList(_ bytes: some Collection<UInt8>) -> ForeignFormat? {
    if let format = of(bytes) ?? texts.first(where: { bytes.starts(with: $0.start) }) {
      return format
    }
    let inner = bytes.dropFirst().first { !$0.isWhiteSpace }
    let isArray = bytes.starts(with: array.start) && inner.map("\"{]".utf8.contains) ?? false
    return isArray ? array : nil
  }

  /// Returns false for a first byte that no other kind has: a pipe need not have more yet.
  static func mayBegin(with byte: UInt8) -> Bool { firstBytes.contains(byte) }

  private static let firstBytes = Set((binaries + texts + [array]).compactMap(\.start.first))

  /// The bytes that ``ofList(_:)`` looks at.
  static let length = 64

  private static let unpack = "Unpack it first; a list may come through a pipe."
  private static let export = "Export the list as CSV or as plain text."
  private static let name = "Name a list of device tokens."

  private static let binaries = [
    ForeignFormat([0x89, 0x50, 0x4E, 0x47], "a PNG picture", name),
    ForeignFormat([0xFF, 0xD8, 0xFF], "a JPEG picture", name),
    ForeignFormat("GIF8", "a GIF picture", name),
    ForeignFormat("%PDF", "a PDF document", export),
    ForeignFormat("PK\u{3}\u{4}", "a ZIP archive, such as an Excel workbook or an .ipa", export),
    ForeignFormat([0xD0, 0xCF, 0x11, 0xE0], "an old Excel or Word document", export),
    ForeignFormat("{\\rtf", "a rich text document", export),
    ForeignFormat([0x1F, 0x8B], "an archive packed with gzip", unpack),
    ForeignFormat("BZh", "an archive packed with bzip2", unpack),
    ForeignFormat([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an archive packed with xz", unpack),
    ForeignFormat([0x28, 0xB5, 0x2F, 0xFD], "an archive packed with zstd", unpack),
    ForeignFormat([0x7F, 0x45, 0x4C, 0x46], "a program", name),
    ForeignFormat([0xCF, 0xFA, 0xED, 0xFE], "a program", name),
    ForeignFormat([0xCA, 0xFE, 0xBA, 0xBE], "a program", name),
    ForeignFormat([0xFE, 0xED, 0xFE, 0xED], "a Java keystore", name),
    ForeignFormat("kych", "a keychain of macOS", name),
    ForeignFormat("SQLite format 3", "an SQLite database", export),
  ]

  private static let texts = [
    ForeignFormat("<!", "a web page", name), ForeignFormat("<html", "a web page", name),
    ForeignFormat("<?xml", "an XML document", export),
    ForeignFormat("bplist", "a property list", export),
  ]

  private static let array = ForeignFormat(
    "[", "a JSON array",
    "Write its elements on lines of their own: jq -r '.[]' for texts, jq -c '.[]' for objects.")
}
