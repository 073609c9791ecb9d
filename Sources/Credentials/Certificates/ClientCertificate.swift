/// A client certificate with its private key: one of the two ways to authenticate with APNs.
///
/// The key is wiped when the last copy goes, and is in no description.
public struct ClientCertificate: Sendable {
  /// What the certificate says about itself.
  public let facts: CertificateFacts

  /// What goes into the handshake, each in DER: the certificate, then its issuers from the nearest
  /// on, as far as they were given and without a root.
  public let certificatesDER: [[UInt8]]

  /// How the `.p12` it came from is locked; nil when it came from PEM or DER.
  public let encryption: PKCS12Encryption?

  private let key: SecretBytes

  /// Lends the private key as PKCS#8 in DER (RFC 5208). What is copied out is the caller's to wipe.
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
  /// Reads a certificate and its key, whatever they are kept in: `.p12` in DER or BER, PEM with
  /// both in any order, a certificate in DER; or any of these in base64.
  ///
  /// - Parameters:
  ///   - contents: the file with the certificate.
  ///   - key: the file with the key, PEM or DER, locked or not; nil when it is with the
  ///     certificate. When there is one, keys beside the certificate are not looked at.
  ///   - password: what the `.p12` or the key is locked with, in UTF-8, without a line end; nil for
  ///     none. An empty one is the same as none.
  /// - Throws: `CertificateError`, a case for each thing that can be wrong.
  public static func load(
    _ contents: SecretBytes, key: SecretBytes? = nil, password: SecretBytes? = nil
  ) throws(CertificateError) -> ClientCertificate {
    try load(contents, key: key, password: password, legacy: { .legacy })
  }

  /// The same with another place for the old algorithms; nil where there are none.
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
  /// The keys in a file that was given as the one with the key.
  fileprivate func keys(in contents: SecretBytes) throws(CertificateError) -> [CertificateKey] {
    let parts = try read(contents)
    if parts.keys.isEmpty { throw .wrongKind(.certificate, file) }
    return parts.keys
  }
}
