public import APNS

/// The contents of a client certificate.
///
/// Texts are as the certificate has them: its issuer may have put anything in.
public struct CertificateFacts: Sendable, Hashable {
  /// One of Apple's two services.
  public typealias Environment = CertificateKind.Environment

  /// The subject's common name, for example `Apple Push Services: com.example.app`.
  public let commonName: String?

  /// The subject's user ID (0.9.2342.19200300.100.1.1): the bundle ID or, for device management,
  /// the topic. The default topic.
  public let userID: String?

  /// The subject's organizational unit; in certificates from Apple, the team.
  public let organizationalUnit: String?

  /// The topics in extensions 1.2.840.113635.100.6.3.6 and .4; empty if it has neither.
  public let topics: [CertificateTopic]

  /// The environments that accept it, by extensions .1 (sandbox) and .2 (production), else by its
  /// kind; empty if neither says.
  public let environments: Set<Environment>

  /// The kind of certificate, by its common name; nil if the name matches no known kind.
  public let kind: CertificateKind?

  /// The certificate has at least one of Apple's push extensions.
  public let hasPushExtensions: Bool

  /// The first second of its validity, since 1970 UTC.
  public let notBefore: Int64

  /// The last second of its validity, since 1970 UTC.
  public let notAfter: Int64

  /// The serial number in uppercase hex digits, without separators.
  public let serial: String

  /// The issuer's common name.
  public let issuer: String?

  /// SHA-256 of the whole certificate in DER: 32 bytes.
  public let sha256: [UInt8]

  /// SHA-256 of the public key as SubjectPublicKeyInfo in DER, equal to the private key's own; nil
  /// for a kind of key OpenSSL does not know.
  public let publicKeySHA256: [UInt8]?

  /// The kind of key: `RSA 2048`, `EC P-256`.
  public let keyKind: String
}

extension CertificateFacts {
  /// The certificate is for device management (Apple: MDM push certificates).
  public var isMDM: Bool { userID?.hasPrefix("com.apple.mgmt") ?? false }

  /// The certificate is known to be for sending pushes.
  public var isForPush: Bool { hasPushExtensions || isMDM || (kind?.isForPush ?? false) }

  /// The topics it may be used for: the ones it lists, plus its user ID if that is a topic; if it
  /// lists none, those of its kind. Empty if neither says.
  public var coveredTopics: [CertificateTopic] {
    let own = CertificateKind.topics(of: kind, userID: userID)
    let added = topics.isEmpty ? own : own.filter { $0 == userID }
    let more = added.compactMap { try? Topic($0) }.filter { topic in
      !topics.contains { $0.topic == topic }
    }
    return topics + more.map { CertificateTopic($0) }
  }

  /// The main topic: its user ID if that is a topic, else the first it covers; nil if there is
  /// none.
  public var mainTopic: Topic? {
    let covered = coveredTopics
    let named = (covered.first { $0.topic.text == userID } ?? covered.first)?.topic
    guard let named, !covered.contains(where: { $0.covers(named) }) else { return named }
    // The VoIP list contains the bundle ID.
    return (try? BundleID(named.text)).map { Topic($0, for: mainPushType) } ?? named
  }

  /// The main push type: the first of its kind, or `alert`.
  public var mainPushType: PushType { isMDM ? .mdm : kind?.pushTypes.first ?? .alert }

  /// Reads the facts of a certificate in DER.
  ///
  /// - Throws: `CertificateError.broken`.
  public init(der: [UInt8]) throws(CertificateError) {
    guard let certificate = der.withUnsafeBytes({ X509Certificate($0) }) else {
      throw .broken(.certificate, .certificate)
    }
    self = try certificate.facts()
  }

  /// The facts of every certificate in a PEM or DER file, in the file's order. Keys are ignored.
  ///
  /// - Throws: `CertificateError`; `noCertificate` for PEM with keys alone, `wrongKind` also for a
  ///   `.p12`.
  public static func list(in contents: SecretBytes) throws(CertificateError) -> [CertificateFacts] {
    let kind = CredentialKind(of: contents)
    guard kind != .pkcs12 else { throw .wrongKind(kind, .certificate) }
    let reader = CredentialReader(file: .certificate, takesKeys: false)
    let certificates = try reader.read(contents).certificates
    if certificates.isEmpty { throw .noCertificate }
    return try certificates.map { (certificate) throws(CertificateError) in try certificate.facts()
    }
  }
}
