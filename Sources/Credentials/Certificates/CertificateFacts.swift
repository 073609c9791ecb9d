public import APNS

/// What a client certificate says about itself.
///
/// Texts are as the certificate has them: its maker may have put anything in.
public struct CertificateFacts: Sendable, Hashable {
  /// One of Apple's two services.
  public typealias Environment = CertificateKind.Environment

  /// The subject's common name, for example `Apple Push Services: com.example.app`.
  public let commonName: String?

  /// The subject's user ID (0.9.2342.19200300.100.1.1): the bundle ID, or the topic of a management
  /// server. The default topic.
  public let userID: String?

  /// The subject's organizational unit: the team, in the certificates that Apple issues.
  public let organizationalUnit: String?

  /// The topics that extensions 1.2.840.113635.100.6.3.6 and .4 name; empty when it has neither.
  public let topics: [CertificateTopic]

  /// Where it is taken, by extensions .1 (sandbox) and .2 (production), else by its kind; empty
  /// when neither tells.
  public let environments: Set<Environment>

  /// What Apple issued it for; nil when the common name fits nothing known.
  public let kind: CertificateKind?

  /// Whether it has one of Apple's push extensions.
  public let hasPushExtensions: Bool

  /// The first second in which it is valid, since 1970 UTC.
  public let notBefore: Int64

  /// The last second in which it is valid, since 1970 UTC.
  public let notAfter: Int64

  /// The serial number in capital hex digits, without separators.
  public let serial: String

  /// The issuer's common name.
  public let issuer: String?

  /// SHA-256 of the whole certificate in DER, 32 bytes.
  public let sha256: [UInt8]

  /// SHA-256 of the public key as SubjectPublicKeyInfo in DER: the same as the key's own; nil for a
  /// key that OpenSSL does not know.
  public let publicKeySHA256: [UInt8]?

  /// Its kind of key: `RSA 2048`, `EC P-256`.
  public let keyKind: String
}

extension CertificateFacts {
  /// Whether it is a management server's (Apple: MDM push certificates).
  public var isMDM: Bool { userID?.hasPrefix("com.apple.mgmt") ?? false }

  /// Whether it is known to be one that pushes are sent with.
  public var isForPush: Bool { hasPushExtensions || isMDM || (kind?.isForPush ?? false) }

  /// The topics that it is good for: those that it lists, with its user ID where that is a topic; of
  /// one that lists none, those of its kind. Empty when neither tells.
  public var coveredTopics: [CertificateTopic] {
    let own = CertificateKind.topics(of: kind, userID: userID)
    let added = topics.isEmpty ? own : own.filter { $0 == userID }
    let more = added.compactMap { try? Topic($0) }.filter { topic in
      !topics.contains { $0.topic == topic }
    }
    return topics + more.map { CertificateTopic($0) }
  }

  /// The topic that it is for in the first place: its user ID, where that is one; nil when neither it
  /// nor a list tells.
  public var mainTopic: Topic? {
    let covered = coveredTopics
    let named = (covered.first { $0.topic.text == userID } ?? covered.first)?.topic
    guard let named, !covered.contains(where: { $0.covers(named) }) else { return named }
    // The list for VoIP names the bundle ID.
    return (try? BundleID(named.text)).map { Topic($0, for: mainPushType) } ?? named
  }

  /// The push type that it is for in the first place: the first of its kind; `alert` if there is none.
  public var mainPushType: PushType { isMDM ? .mdm : kind?.pushTypes.first ?? .alert }

  /// The facts of a certificate in DER.
  ///
  /// - Throws: `CertificateError.broken`.
  public init(der: [UInt8]) throws(CertificateError) {
    guard let certificate = der.withUnsafeBytes({ X509Certificate($0) }) else {
      throw .broken(.certificate, .certificate)
    }
    self = try certificate.facts()
  }

  /// The facts of every certificate in a file, PEM or DER, in the file's order. Keys in it are not
  /// looked at.
  ///
  /// - Throws: `CertificateError`; `noCertificate` for PEM that holds keys alone, `wrongKind` also
  ///   for a `.p12`.
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
