/// Why a key cannot sign provider tokens.
public enum SigningKeyError: Error, Sendable, Hashable {
  /// There is no text at all.
  case empty
  /// The text holds no PEM block.
  case notPEM
  /// The PEM block is cut off or its contents are broken. The label is the block's.
  case broken(label: String)
  /// PKCS#8 that is locked with a password.
  case encrypted
  /// A PEM block of another kind: a public key, a certificate, a request.
  case wrongBlock(label: String)
  /// A private key of another algorithm, for example `RSA`.
  case wrongAlgorithm(String)
  /// An elliptic curve other than P-256, for example `secp384r1`.
  case wrongCurve(String)
  /// OpenSSL failed where it should not; the text is its reason.
  case openSSL(String)
}
