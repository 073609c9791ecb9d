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
