/// The reason a key cannot sign provider tokens.
public enum SigningKeyError: Error, Sendable, Hashable {
  /// The contents are empty or only white space.
  case empty
  /// The contents are binary, but not a key in DER.
  case notText
  /// A web page, as a download without a login produces.
  case webPage
  /// A provider token, which is signed with the key, was given as the key.
  case providerToken
  /// An SSH key, from OpenSSH or PuTTY.
  case sshKey
  /// Text without a PEM block.
  case notPEM
  /// The key is truncated or damaged. The label is the PEM block's; nil for DER.
  case broken(label: String?)
  /// The key is encrypted, and no password was given.
  case encrypted
  /// The password does not decrypt the key.
  case wrongPassword
  /// The key is encrypted with an algorithm that this OpenSSL lacks, for example `DES-CBC, MD5`.
  case unsupportedEncryption(String)
  /// The public half of a key.
  case publicKey
  /// A certificate.
  case certificate
  /// A certificate signing request.
  case certificateRequest
  /// A PKCS#12 file, which holds a certificate and its key.
  case pkcs12
  /// A PEM block of some other kind.
  case wrongBlock(label: String)
  /// A private key of another algorithm, for example `RSA`.
  case wrongAlgorithm(String)
  /// An elliptic curve other than P-256, for example `secp384r1`.
  case wrongCurve(String)
  /// OpenSSL failed unexpectedly, for this reason.
  case openSSL(String)
}
