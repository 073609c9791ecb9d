internal import APNS
internal import Credentials
internal import JSONText
internal import Recipients

/// What a file contains, recognized by its bytes, and by its name only where these do not tell.
enum FileContents: Sendable, Hashable {
  case payload
  case list(ListFormat)
  case privateKey
  /// A `.p12`, or certificates, with or without keys.
  case certificates
  case providerToken
  case unrecognized(UnrecognizedContent)

  /// Tells by the first bytes; it may be broken behind.
  ///
  /// - Parameters:
  ///   - start: the file, or its start, of at least some lines.
  ///   - path: its name.
  init(of start: SecretBytes, path: String) {
    if start.isBlank {
      self = .unrecognized(.empty)
    } else {
      self =
        Self.marked(start, path) ?? Self.credential(start) ?? Self.text(start)
        ?? Self.credential(inBase64: start) ?? Self.named(path, CredentialKind(of: start))
        ?? .unrecognized(Self.other(start))
    }
  }

  /// What begins with bytes that stand for a format.
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
    let isKey = kinds.contains(.privateKey) || kinds.contains(.lockedPrivateKey)
    // "DSA PRIVATE KEY" has no kind of its own.
    let isOtherKey = kinds.contains(.otherPEM(label: "DSA PRIVATE KEY"))
    if isKey || isOtherKey { return .privateKey }
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

  /// What the name says of text that says nothing itself, so that its faults can be told.
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
  /// The format of a list whose first lines these are; nil when they are none.
  fileprivate init?(linesOf start: SecretBytes) {
    let lines = start.withBytes { bytes in
      bytes.trimmed.prefix(65_536).split { $0 == 0x0A || $0 == 0x0D }.prefix(1000)
        .map { String(decoding: $0, as: UTF8.self) }
    }
    if let first = lines.first, Self.isRow(first) {
      self = .jsonl
    } else if let first = lines.first, Self.isHeader(first) {
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

  /// Whether it is a device token of a length that no word has.
  private static func isToken(_ line: String) -> Bool {
    let token = try? DeviceToken(tidying: line)
    return (token?.hex.utf8.count ?? 0) >= 16
  }
}
