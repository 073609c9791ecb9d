/// Why what was given yields no client certificate.
public enum CertificateError: Error, Sendable, Hashable {
  /// Which of the two files is meant.
  public enum File: Sendable, Hashable {
    /// The one with the certificate: a `.p12`, PEM or DER.
    case certificate
    /// The one that holds the key alone.
    case key
  }

  /// The file holds nothing but white space.
  case empty(File)
  /// A file of another kind.
  case wrongKind(CredentialKind, File)
  /// The `.p8` file that signs provider tokens, or another bare P-256 key, in the certificate's
  /// place.
  case isSigningKey
  /// It is of this kind, but cut off or damaged.
  case broken(CredentialKind, File)
  /// It is locked, and no password was given.
  case needsPassword(File)
  /// It is locked with another password.
  case wrongPassword(File)
  /// It is locked with old algorithms, named here, which OpenSSL 3 keeps in its legacy provider;
  /// and that module is not installed.
  case legacyUnavailable([String])
  /// It is locked with algorithms that this OpenSSL does not have.
  case unsupportedEncryption([String])
  /// Unlocking would take this many rounds of hashing, over ``PKCS12Encryption/maximumIterations``.
  case tooManyIterations(Int)
  /// A key, but no certificate.
  case noCertificate
  /// Certificates with these names, but no key.
  case noKey(commonNames: [String])
  /// None of the keys belongs to one of the certificates, which have these names.
  case keyDoesNotMatch(commonNames: [String])
  /// Several certificates with their keys, any of which could be meant: their names.
  case severalIdentities(commonNames: [String])
}
