internal import PlainText

extension CertificateError {
  /// The fault in a sentence, safe to print.
  package var sentence: String {
    switch self {
    case .empty: "The file is empty."
    case .wrongKind(let kind, .certificate): "This is \(kind.phrase), not a client certificate."
    case .wrongKind(let kind, .key): "This is \(kind.phrase), not the certificate's private key."
    case .isSigningKey: "This is a signing key, not a client certificate."
    case .broken(let kind, _): "This is \(kind.phrase), truncated or damaged."
    case .needsPassword: "It is encrypted with a password."
    case .wrongPassword: "The password does not open it."
    case .legacyUnavailable(let names):
      "It is encrypted with \(names.list), which this OpenSSL opens only with its legacy provider."
    case .unsupportedEncryption(let names):
      "It is encrypted with \(names.list), which this OpenSSL cannot open."
    case .tooManyIterations(let count):
      "Decrypting it would take \(count.grouped) rounds of hashing."
    case .noCertificate: "It does not contain a certificate."
    case .noKey(let names): "It has no private key for the certificate \(names.list)."
    case .keyDoesNotMatch(let names):
      "The private key does not belong to the certificate \(names.list)."
    case .severalIdentities(let names):
      "It is not clear which certificate to use: \(names.list)."
    }
  }
}

extension CredentialKind {
  /// The kind in words, with an article.
  package var phrase: String {
    switch self {
    case .pkcs12: "a PKCS#12 file"
    case .pem: "a PEM text"
    case .certificate: "a certificate"
    case .privateKey: "a private key"
    case .lockedPrivateKey: "an encrypted private key"
    case .publicKey: "a public key"
    case .certificateRequest: "a certificate signing request"
    case .provisioningProfile: "a provisioning profile"
    case .signedMessage: "a signed message or a bundle of certificates without keys"
    case .openSSHKey: "an SSH key"
    case .providerToken: "a provider token"
    case .html: "a web page"
    case .propertyList: "a property list"
    case .json: "JSON"
    case .otherPEM(let label): "a '\(label.printable)'"
    case .unknown: "something else"
    }
  }
}

extension [String] {
  fileprivate var list: String { map { $0.printable }.joined(separator: ", ") }
}
