/// The actual kind of a file that should hold a certificate or a key.
public enum CredentialKind: Sendable, Hashable {
  /// PKCS#12: `.p12` or `.pfx`, in DER or BER (RFC 7292).
  case pkcs12
  /// PEM text, not examined further (RFC 7468).
  case pem
  /// A certificate (RFC 5280).
  case certificate
  /// An unencrypted private key (RFC 5208, RFC 5915, RFC 8017).
  case privateKey
  /// A private key encrypted with a password.
  case lockedPrivateKey
  /// A public key.
  case publicKey
  /// A certificate signing request: `.certSigningRequest` (RFC 2986).
  case certificateRequest
  /// An Xcode provisioning profile: `.mobileprovision`, `.provisionprofile`.
  case provisioningProfile
  /// Another signed or enveloped message: `.p7b`, `.p7s` (RFC 5652).
  case signedMessage
  /// An OpenSSH key.
  case openSSHKey
  /// A provider token, or another JWT.
  case providerToken
  /// A web page.
  case html
  /// A property list, or other XML.
  case propertyList
  /// JSON.
  case json
  /// A PEM block with an unknown label.
  case otherPEM(label: String)
  /// Anything else.
  case unknown
}

extension CredentialKind {
  /// Recognizes a file by its first bytes. Nothing is decoded, so the rest may be damaged.
  public init(of contents: SecretBytes) {
    self = contents.withBytes { CredentialKind(of: $0) }
  }

  init(of bytes: UnsafeRawBufferPointer) {
    if bytes.offset(of: PEMText.begin) != nil {
      self = .pem
    } else if bytes.first == DERItem.sequence {
      self = Self.kind(ofDER: bytes)
    } else {
      self = Self.kind(ofText: bytes)
    }
  }

  /// The kind that a PEM label stands for; nil for parameters, which come with a key.
  package init?(label: String) {
    switch label {
    case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": self = .certificate
    case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY": self = .privateKey
    case "ENCRYPTED PRIVATE KEY": self = .lockedPrivateKey
    case "PUBLIC KEY", "RSA PUBLIC KEY": self = .publicKey
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self = .certificateRequest
    case "PKCS7", "CMS", "PKCS #7 SIGNED DATA": self = .signedMessage
    case "PKCS12": self = .pkcs12
    case "OPENSSH PRIVATE KEY": self = .openSSHKey
    case "EC PARAMETERS", "DH PARAMETERS": return nil
    default: self = .otherPEM(label: label)
    }
  }

  private static func kind(ofText bytes: UnsafeRawBufferPointer) -> CredentialKind {
    let start = bytes.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.prefix(16)
    let text = String(decoding: start, as: UTF8.self).lowercased()
    let table: [(String, CredentialKind)] = [
      ("<!doctype html", .html), ("<html", .html), ("<head", .html), ("<", .propertyList),
      ("bplist", .propertyList), ("{", .json), ("[", .json), ("eyj", .providerToken),
      ("ssh-", .openSSHKey), ("ecdsa-", .openSSHKey),
    ]
    return table.first { text.hasPrefix($0.0) }?.1 ?? .unknown
  }

  private static func kind(ofDER bytes: UnsafeRawBufferPointer) -> CredentialKind {
    guard let outer = DERItem.first(in: bytes[...]) else { return .unknown }
    let inner = DERItem.items(in: outer.content)
    switch inner.first?.tag {
    case DERItem.integer: return kind(byVersion: inner)
    case DERItem.objectID:
      return bytes.offset(of: "<plist") != nil ? .provisioningProfile : .signedMessage
    case DERItem.sequence: return kind(byFirst: inner[0].content, of: bytes)
    default: return .unknown
    }
  }

  private static func kind(byVersion items: [DERItem]) -> CredentialKind {
    let second = items.dropFirst().first?.tag
    switch items[0].content.last {
    case 3 where second == DERItem.sequence: return .pkcs12
    // The version is followed by the algorithm in PKCS#8, a number in PKCS#1, an octet string in
    // SEC1.
    case 0, 1: return second == nil ? .unknown : .privateKey
    default: return .unknown
    }
  }

  private static func kind(
    byFirst content: DERItem.Bytes, of bytes: UnsafeRawBufferPointer
  ) -> CredentialKind {
    switch content.first {
    case DERItem.objectID: isLocked(bytes) ? .lockedPrivateKey : .publicKey
    case 0xA0: .certificate
    case DERItem.integer: isRequest(content) ? .certificateRequest : .certificate
    default: .unknown
    }
  }

  /// An encrypted key has an octet string after its algorithm, a public key a bit string.
  private static func isLocked(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let outer = DERItem.first(in: bytes[...])
    return outer.map { DERItem.items(in: $0.content).dropFirst().first?.tag } == DERItem.octetString
  }

  /// A request starts with version 0. The oldest certificates start with a serial number, which is
  /// followed by an algorithm instead of a name.
  private static func isRequest(_ content: DERItem.Bytes) -> Bool {
    guard let name = DERItem.items(in: content).dropFirst().first else { return true }
    return name.content.first != DERItem.objectID
  }
}
