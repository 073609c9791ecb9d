/// Why a key cannot sign provider tokens.
public enum SigningKeyError: Error, Sendable, Hashable {
  /// There is nothing, or nothing but white space.
  case empty
  /// Bytes that are neither text nor a key in DER.
  case notText
  /// A page of a web site, as a download without a login leaves it.
  case webPage
  /// A provider token: what a key signs, not the key.
  case providerToken
  /// A key of SSH, in the form of OpenSSH or PuTTY.
  case sshKey
  /// Text without a PEM block in it.
  case notPEM
  /// The key is cut off or damaged. The label is the PEM block's; nil for DER.
  case broken(label: String?)
  /// The key is locked, and there is no password.
  case encrypted
  /// The password does not open the key.
  case wrongPassword
  /// The key is locked in a way that this OpenSSL cannot open, for example `DES-CBC, MD5`.
  case unsupportedEncryption(String)
  /// The public half of a key.
  case publicKey
  /// A certificate.
  case certificate
  /// A request for a certificate.
  case certificateRequest
  /// A PKCS#12 file, which holds a certificate and its key.
  case pkcs12
  /// A PEM block of yet another kind.
  case wrongBlock(label: String)
  /// A private key of another algorithm, for example `RSA`.
  case wrongAlgorithm(String)
  /// An elliptic curve other than P-256, for example `secp384r1`.
  case wrongCurve(String)
  /// OpenSSL failed where it should not; the text is its reason.
  case openSSL(String)
}
