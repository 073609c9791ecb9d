/// A client certificate with its private key: one of the two ways to authenticate with APNs.
///
/// The key is wiped with the last copy and appears in no description.
public struct ClientCertificate: Sendable {
  /// The certificate's contents.
  public let facts: CertificateFacts

  /// The chain for the TLS handshake, each in DER: the certificate, then its issuers in order, as
  /// far as they were given, without the root.
  public let certificatesDER: [[UInt8]]

  /// The encryption of the `.p12` it came from; nil if it came from PEM or DER.
  public let encryption: PKCS12Encryption?

  private let key: SecretBytes

  /// Lends the private key as PKCS#8 in DER (RFC 5208). The caller has to wipe any copy it makes.
  public func withKeyDER<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try key.withBytes(body)
  }

  private init(_ choice: ClientIdentityChoice, _ encryption: PKCS12Encryption?) {
    facts = choice.facts
    certificatesDER = [choice.leaf.der] + choice.issuers.map(\.der)
    key = choice.key.der
    self.encryption = encryption
  }
}

extension ClientCertificate {
  /// Reads a certificate and its key in any format: `.p12` in DER or BER, PEM with both in any
  /// order, a certificate in DER, or any of these in base64.
  ///
  /// - Parameters:
  ///   - contents: the file with the certificate.
  ///   - key: the file with the key, PEM or DER, encrypted or not; nil if the key is with the
  ///     certificate. If given, keys next to the certificate are ignored.
  ///   - password: the password of the `.p12` or the key, in UTF-8 and without a line end; nil and
  ///     empty both mean none.
  /// - Throws: `CertificateError`, with one case per thing that can be wrong.
  public static func load(
    _ contents: SecretBytes, key: SecretBytes? = nil, password: SecretBytes? = nil
  ) throws(CertificateError) -> ClientCertificate {
    try load(contents, key: key, password: password, legacy: { .legacy })
  }

  /// The same with another source of old algorithms; nil if there is none.
  static func load(
    _ contents: SecretBytes, key: SecretBytes? = nil, password: SecretBytes? = nil,
    legacy: @escaping () -> LibraryContext?
  ) throws(CertificateError) -> ClientCertificate {
    let reader = CredentialReader(
      file: .certificate, password: password, takesKeys: key == nil, legacy: legacy)
    let parts = try reader.read(contents)
    try checkKind(of: parts)
    let keyReader = CredentialReader(file: .key, password: password, legacy: legacy)
    let keys = try key.map { (key) throws(CertificateError) in try keyReader.keys(in: key) }
    let choice = try ClientIdentityChoice(from: parts.certificates, keys ?? parts.keys)
    return ClientCertificate(choice, parts.encryption)
  }

  private static func checkKind(of parts: CredentialParts) throws(CertificateError) {
    guard parts.certificates.isEmpty, parts.encryption == nil else { return }
    throw parts.keys.contains(where: \.isOnP256) ? .isSigningKey : .noCertificate
  }
}

extension CredentialReader {
  /// The keys in the file that was given as the key file.
  fileprivate func keys(in contents: SecretBytes) throws(CertificateError) -> [CertificateKey] {
    let parts = try read(contents)
    if parts.keys.isEmpty { throw .wrongKind(.certificate, file) }
    return parts.keys
  }
}

/// The reason no client certificate could be read.
public enum CertificateError: Error, Sendable, Hashable {
  /// The file an error is about.
  public enum File: Sendable, Hashable {
    /// The file with the certificate: a `.p12`, PEM or DER.
    case certificate
    /// The file with the key alone.
    case key
  }

  /// The file holds only white space.
  case empty(File)
  /// The file is of another kind.
  case wrongKind(CredentialKind, File)
  /// A `.p8` that signs provider tokens, or another bare P-256 key, was given as the certificate.
  case isSigningKey
  /// The file is of this kind, but truncated or damaged.
  case broken(CredentialKind, File)
  /// The file is encrypted, and no password was given.
  case needsPassword(File)
  /// The file is encrypted with another password.
  case wrongPassword(File)
  /// The file is encrypted with these old algorithms, which OpenSSL 3 keeps in its legacy provider,
  /// and that module is not installed.
  case legacyUnavailable([String])
  /// The file is encrypted with algorithms this OpenSSL does not have.
  case unsupportedEncryption([String])
  /// Decrypting takes this many iterations, more than ``PKCS12Encryption/maximumIterations``.
  case tooManyIterations(Int)
  /// There is a key but no certificate.
  case noCertificate
  /// There are certificates, with these names, but no key.
  case noKey(commonNames: [String])
  /// None of the keys belongs to any of the certificates, which have these names.
  case keyDoesNotMatch(commonNames: [String])
  /// Several certificates with keys, with these names, and no way to choose among them.
  case severalIdentities(commonNames: [String])
}

/// A certificate with its key and chain, chosen from everything that was given.
struct ClientIdentityChoice {
  let leaf: X509Certificate
  let facts: CertificateFacts
  let key: CertificateKey
  /// The issuers in order, without the root.
  let issuers: [X509Certificate]

  /// Chooses the certificate that has a key. Among several, prefers push certificates, then the
  /// newest if they differ only in age.
  init(
    from certificates: [X509Certificate], _ keys: [CertificateKey]
  ) throws(CertificateError) {
    let names = certificates.map(\.shownName)
    if certificates.isEmpty { throw .noCertificate }
    if keys.isEmpty { throw .noKey(commonNames: names) }
    let candidates = try Self.candidates(certificates, keys)
    if candidates.isEmpty { throw .keyDoesNotMatch(commonNames: names) }
    let chosen = try Self.best(of: candidates)
    (leaf, key, facts) = (chosen.leaf, chosen.key, chosen.facts)
    issuers = Self.issuers(of: leaf, in: certificates)
  }

  private typealias Candidate = (
    leaf: X509Certificate, key: CertificateKey, facts: CertificateFacts
  )

  private static func candidates(
    _ certificates: [X509Certificate], _ keys: [CertificateKey]
  ) throws(CertificateError) -> [Candidate] {
    var candidates: [Candidate] = []
    for leaf in certificates {
      guard let key = keys.first(where: leaf.matches) else { continue }
      candidates.append((leaf, key, try leaf.facts()))
    }
    return candidates
  }

  private static func best(of candidates: [Candidate]) throws(CertificateError) -> Candidate {
    let forPush = candidates.filter(\.facts.isForPush)
    let candidates = forPush.isEmpty ? candidates : forPush
    let newest = candidates.max { $0.facts.notAfter < $1.facts.notAfter }
    guard let newest, candidates.allSatisfy({ $0.facts.isRenewal(of: newest.facts) }) else {
      throw .severalIdentities(commonNames: candidates.map(\.leaf.shownName))
    }
    return newest
  }

  private static func issuers(
    of leaf: X509Certificate, in certificates: [X509Certificate]
  ) -> [X509Certificate] {
    var others = certificates.filter { $0.der != leaf.der && !$0.isSelfIssued }
    var chain = [leaf]
    while let last = chain.last, let next = others.firstIndex(where: last.isIssued) {
      chain.append(others.remove(at: next))
    }
    return Array(chain.dropFirst())
  }
}

extension CertificateFacts {
  /// Returns true if the two differ only in validity and serial number.
  fileprivate func isRenewal(of other: CertificateFacts) -> Bool {
    commonName == other.commonName && userID == other.userID && topics == other.topics
      && environments == other.environments
  }
}
