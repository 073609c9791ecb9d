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
