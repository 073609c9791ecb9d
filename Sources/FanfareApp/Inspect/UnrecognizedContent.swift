internal import Credentials
internal import PlainText

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

extension UnrecognizedContent: Described {
  var sentence: String {
    switch self {
    case .empty: "The file is empty."
    case .credential(let kind): "This is \(kind.phrase)."
    case .format(let noun): "This is \(noun)."
    case .tooLarge(let limit):
      "It is larger than \(grouped(limit)) bytes, and does not begin like a list of device tokens."
    case .utf16: "This is UTF-16 text."
    case .text: "This text is not in a format that fanfare knows."
    case .bytes: "This is not in a format that fanfare knows."
    }
  }

  var fix: String {
    switch self {
    case .empty: "Download or copy the file again."
    case .credential(let kind): kind.fix
    case .utf16: "Save it as UTF-8; if it is a list, name it .txt, .csv or .jsonl."
    case .tooLarge: "If it is a list, name it .txt, .csv or .jsonl; nothing else is that large."
    case .format, .text, .bytes:
      "Give a .p8 key, a .p12 or PEM certificate, a provider token, a payload or a token list."
    }
  }
}

extension CredentialKind {
  /// What to use instead of it.
  var fix: String {
    switch self {
    case .publicKey: "It cannot sign; use the private key, the AuthKey_….p8 file."
    case .certificateRequest:
      "Upload it in the developer portal, and download the certificate."
    case .provisioningProfile:
      "It is for building apps; use the AuthKey_….p8 file or a .p12."
    case .signedMessage: "Extract the certificates: openssl pkcs7 -print_certs -in FILE"
    case .openSSHKey: "Use the AuthKey_….p8 file from the Keys page of the developer portal."
    case .html: "Log in to the developer portal, and download the file again."
    default: "Use the AuthKey_….p8 file, or a .p12 or PEM with a certificate and its key."
    }
  }
}
