/// What a `.p12`, or a file with certificates in PEM or DER, lets be seen. Never a key.
public struct CertificateFileFacts: Sendable, Hashable {
  /// A private key.
  public struct Key: Sendable, Hashable {
    /// Its kind: `RSA 2048`, `EC P-256`.
    public let algorithm: String
    /// SHA-256 of its public half as SubjectPublicKeyInfo in DER; nil when it cannot be written.
    public let publicKeySHA256: [UInt8]?
    /// The certificates that it belongs to, by their place in the file.
    public let fits: [Int]
  }

  /// The certificates, in the file's order.
  public private(set) var certificates: [CertificateFacts] = []

  /// The keys that were opened: those of the file, or those given with it.
  public private(set) var keys: [Key] = []

  /// The certificate that would be shown to APNs, by its place; nil when ``fault`` says why not.
  public private(set) var leaf: Int?

  /// How many issuers would be shown with it.
  public private(set) var issuers = 0

  /// How a `.p12` is locked and sealed; nil for PEM and DER.
  public let encryption: PKCS12Encryption?

  /// Why it cannot authenticate with APNs as it is; nil when it can.
  public private(set) var fault: CertificateError?

  /// Whether something in it stayed locked.
  public let isLocked: Bool
}

extension CertificateFileFacts {
  /// Looks at a file.
  ///
  /// - Parameters:
  ///   - contents: a `.p12`, PEM or DER, or base64 of these.
  ///   - key: a file with the key; nil when it may be in the same file.
  ///   - password: what the `.p12`, or the key in the same file, is locked with; without it that
  ///     much is told as can be seen.
  ///   - keyPassword: what the other file is locked with.
  /// - Throws: `CertificateError` when there is nothing to tell, or the password does not open it.
  public init(
    _ contents: SecretBytes, key: SecretBytes? = nil, password: SecretBytes? = nil,
    keyPassword: SecretBytes? = nil
  ) throws(CertificateError) {
    let contents = contents.withoutBase64
    let isArchive = CredentialKind(of: contents) == .pkcs12
    encryption = isArchive ? try PKCS12Encryption(contents: contents) : nil
    let (parts, lock) = try Self.parts(
      of: contents, CredentialReader(file: .certificate, password: password, takesKeys: key == nil),
      isArchive: isArchive)
    isLocked = lock != nil
    let reader = CredentialReader(file: .key, password: keyPassword)
    let keys = try key.map { (key) throws(CertificateError) in try reader.read(key).keys }
    try add(parts.certificates, keys ?? parts.keys)
    fault = lock ?? fault
  }

  /// What can be read, and what keeps the rest locked.
  private static func parts(
    of contents: SecretBytes, _ reader: CredentialReader, isArchive: Bool
  ) throws(CertificateError) -> (CredentialParts, lock: CertificateError?) {
    do throws(CertificateError) {
      return (try reader.read(contents), nil)
    } catch {
      guard error.isLock else { throw error }
      if isArchive { return (CredentialParts(), error) }
      var reader = reader
      reader.takesKeys = false
      return (try reader.read(contents), error)
    }
  }

  private mutating func add(
    _ certificates: [X509Certificate], _ keys: [CertificateKey]
  ) throws(CertificateError) {
    self.certificates = try certificates.map { (one) throws(CertificateError) in try one.facts() }
    self.keys = keys.map { key in
      Key(
        algorithm: key.withPointer(keyName), publicKeySHA256: key.withPointer(publicKeySHA256),
        fits: certificates.indices.filter { certificates[$0].matches(key) })
    }
    do throws(CertificateError) {
      let choice = try ClientIdentityChoice(from: certificates, keys)
      leaf = certificates.firstIndex { $0 === choice.leaf }
      issuers = choice.issuers.count
    } catch {
      fault = error
    }
  }
}

extension CertificateError {
  /// Whether there is something, but nothing that opens it.
  fileprivate var isLock: Bool {
    switch self {
    case .needsPassword, .legacyUnavailable, .unsupportedEncryption, .tooManyIterations: true
    default: false
    }
  }
}

extension SecretBytes {
  /// The bytes themselves, or those that a text is base64 of, when they are a file of credentials.
  fileprivate var withoutBase64: SecretBytes {
    guard CredentialKind(of: self).isRead == false, let decoded = base64Decoded,
      CredentialKind(of: decoded).isRead
    else { return self }
    return decoded
  }
}
