/// The visible contents of a `.p12`, or of a PEM or DER file with certificates. Never a key.
public struct CertificateFileFacts: Sendable, Hashable {
  /// A private key.
  public struct Key: Sendable, Hashable {
    /// The kind of key: `RSA 2048`, `EC P-256`.
    public let algorithm: String
    /// SHA-256 of the public half as SubjectPublicKeyInfo in DER; nil if OpenSSL cannot encode it.
    public let publicKeySHA256: [UInt8]?
    /// The indices of the certificates it belongs to.
    public let fits: [Int]
  }

  /// The certificates, in the file's order.
  public private(set) var certificates: [CertificateFacts] = []

  /// The keys that could be read, from the file or from the one given with it.
  public private(set) var keys: [Key] = []

  /// The index of the certificate that would be presented to APNs; nil if ``fault`` is set.
  public private(set) var leaf: Int?

  /// The number of issuers that would be presented with it.
  public private(set) var issuers = 0

  /// The encryption and MAC of a `.p12`; nil for PEM and DER.
  public let encryption: PKCS12Encryption?

  /// The reason it cannot authenticate with APNs as it is; nil if it can.
  public private(set) var fault: CertificateError?

  /// Some of the contents could not be decrypted.
  public let isLocked: Bool
}

extension CertificateFileFacts {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - contents: a `.p12`, PEM or DER, or base64 of these.
  ///   - key: a file with the key; nil if the key may be in the same file.
  ///   - password: the password of the `.p12`, or of the key in the same file; without it, only the
  ///     unencrypted parts are read.
  ///   - keyPassword: the password of the other file.
  /// - Throws: `CertificateError` if nothing can be read, or the password does not decrypt it.
  public init(
    _ contents: SecretBytes, key: SecretBytes? = nil, password: SecretBytes? = nil,
    keyPassword: SecretBytes? = nil
  ) throws(CertificateError) {
    let contents = contents.inUTF8.withoutBase64
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

  /// The readable parts, and the error that explains why the rest is not.
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
  /// The contents exist but cannot be decrypted.
  fileprivate var isLock: Bool {
    switch self {
    case .needsPassword, .legacyUnavailable, .unsupportedEncryption, .tooManyIterations: true
    default: false
    }
  }
}

extension SecretBytes {
  /// The bytes themselves, or the decoded ones if they are base64 of a credentials file.
  fileprivate var withoutBase64: SecretBytes {
    guard CredentialKind(of: self).isRead == false, let decoded = base64Decoded,
      CredentialKind(of: decoded).isRead
    else { return self }
    return decoded
  }
}
