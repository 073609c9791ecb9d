internal import PlainText

extension SigningKeyError {
  /// The fault in a sentence, safe to print.
  package var sentence: String {
    switch self {
    case .empty: "The key is empty."
    case .notText: "This is not a key: it is neither text nor DER."
    case .webPage: "This is a web page, not a key: the download required a login."
    case .providerToken: "This is a provider token, not a signing key."
    case .sshKey: "This is an SSH key, not a key for APNs."
    case .notPEM: "This is not a key: it has no '-----BEGIN PRIVATE KEY-----' line."
    case .broken(let label?): "The block '\(label.printable)' is truncated or damaged."
    case .broken(nil): "The key, in DER, is truncated or damaged."
    case .encrypted: "The key is encrypted with a password."
    case .wrongPassword: "The password does not open the key."
    case .unsupportedEncryption(let name):
      "The key is encrypted with \(name.printable), which this OpenSSL cannot open."
    case .publicKey: "This is a public key, not a private key."
    case .certificate: "This is a certificate, not a private key."
    case .certificateRequest: "This is a certificate signing request, not a private key."
    case .pkcs12: "This is a PKCS#12 file, which holds a certificate, not a signing key."
    case .wrongBlock(let label): "This is a '\(label.printable)', not a private key."
    case .wrongAlgorithm(let name): "This key is for \(name.printable), not for elliptic curves."
    case .wrongCurve(let name): "The key is on the curve \(name.printable), not on P-256."
    case .openSSL(let reason): "OpenSSL cannot use the key: \(reason.printable)."
    }
  }
}
