internal import APNS
internal import Credentials
internal import JSONText
internal import Recipients
internal import Reporting

/// The kind of a file's contents, recognized by its bytes, or by its name if they do not tell.
enum FileContents: Sendable, Hashable {
  case payload
  case list(ListFormat)
  case privateKey
  /// A `.p12`, or certificates, with or without keys.
  case certificates
  case providerToken
  case unrecognized(UnrecognizedContent)

  /// - Parameter start: the file, or a part from its start with at least a few lines.
  init(of contents: SecretBytes, path: String) {
    let start = ListFormat(path: path) == nil ? contents.inUTF8 : contents
    self =
      start.isBlank
      ? .unrecognized(.empty)
      : Self.marked(start, path) ?? Self.credential(start) ?? Self.text(start)
        ?? Self.credential(inBase64: start) ?? Self.named(path, CredentialKind(of: start))
        ?? .unrecognized(Self.other(start))
  }

  private static func marked(_ start: SecretBytes, _ path: String) -> FileContents? {
    start.withBytes { bytes in
      if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
        return ListFormat(path: path).map { .list($0) } ?? .unrecognized(.utf16)
      }
      return UnrecognizedContent.format(of: bytes).map { .unrecognized($0) }
    }
  }

  private static func credential(_ start: SecretBytes) -> FileContents? {
    if start.isText, TokenText.begins(start) { return .providerToken }
    switch CredentialKind(of: start) {
    case .pem where !start.withBytes(beginsWithBrace): return pem(start)
    case .pkcs12, .certificate: return .certificates
    case .privateKey, .lockedPrivateKey: return .privateKey
    default: return nil
    }
  }

  private static func pem(_ start: SecretBytes) -> FileContents {
    let kinds = PEMText.labels(in: start).compactMap { CredentialKind(label: $0) }
    if kinds.contains(.certificate) { return .certificates }
    // "DSA PRIVATE KEY" does not have a kind of its own.
    let keys: [CredentialKind] = [
      .privateKey, .lockedPrivateKey, .otherPEM(label: "DSA PRIVATE KEY"),
    ]
    if kinds.contains(where: keys.contains) { return .privateKey }
    return .unrecognized(.credential(kinds.first ?? .pem))
  }

  private static func credential(inBase64 start: SecretBytes) -> FileContents? {
    guard let decoded = start.base64Decoded, CredentialKind(of: decoded).isRead else { return nil }
    return credential(decoded)
  }

  private static func text(_ start: SecretBytes) -> FileContents? {
    guard start.isText else { return nil }
    if let format = ListFormat(linesOf: start) { return .list(format) }
    return start.withBytes(beginsWithBrace) ? .payload : nil
  }

  /// The kind by name, for text that cannot be recognized, so that its faults can be reported.
  private static func named(_ path: String, _ kind: CredentialKind) -> FileContents? {
    guard kind == .unknown || kind == .json else { return nil }
    switch FileKind(path: path) {
    case .list: return .list(ListFormat(path: path) ?? .txt)
    case .payload: return .payload
    case .scenario, .script, .configuration, nil: return nil
    }
  }

  private static func other(_ start: SecretBytes) -> UnrecognizedContent {
    let kind = CredentialKind(of: start)
    if kind != .unknown, kind != .json { return .credential(kind) }
    return start.isText ? .text : .bytes
  }
}

private func beginsWithBrace(_ bytes: UnsafeRawBufferPointer) -> Bool {
  bytes.trimmed.first == UInt8(ascii: "{")
}

extension ListFormat {
  /// The format of a list that begins with these lines; nil if they are not a list.
  fileprivate init?(linesOf start: SecretBytes) {
    let lines = start.withBytes { bytes in
      bytes.trimmed.prefix(65_536).split { $0 == 0x0A || $0 == 0x0D }.prefix(1000)
        .map { String(decoding: $0, as: UTF8.self) }
    }
    guard let first = lines.first else { return nil }
    if Self.isRow(first) {
      self = .jsonl
    } else if Self.isHeader(first) {
      self = .csv
    } else if lines.contains(where: Self.isToken) {
      self = .txt
    } else {
      return nil
    }
  }

  private static func isRow(_ line: String) -> Bool {
    guard let object = (try? JSONReader().read(line))?.object else { return false }
    return object["aps"] == nil && (object["token"] ?? object["device_token"])?.string != nil
  }

  private static func isHeader(_ line: String) -> Bool {
    line.split { ",;\t".contains($0) }.contains { cell in
      let name = cell.filter { $0 != " " && $0 != "\"" }.lowercased()
      return name == "token" || name == "device_token"
    }
  }

  /// Tells a device token from a word by its length.
  private static func isToken(_ line: String) -> Bool {
    let token = try? DeviceToken(tidying: line)
    return (token?.hex.utf8.count ?? 0) >= 16
  }
}

/// Contents of a kind that fanfare does not use.
enum UnrecognizedContent: Error, Described, Sendable, Hashable {
  case empty
  /// Something that looks like a credential.
  case credential(CredentialKind)
  /// A picture, an archive, a program: the noun for it.
  case format(String)
  case tooLarge(limit: Int)
  case utf16
  case text
  case bytes

  static func format(of bytes: UnsafeRawBufferPointer) -> UnrecognizedContent? {
    ForeignFormat.of(bytes).map { .format($0.noun) }
  }

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
