internal import APNS
internal import Credentials
internal import HTTP2
internal import PlainText
internal import Reporting

extension SigningKeyError: Described {
  package var fix: String {
    switch self {
    case .notPEM:
      "Copy the AuthKey_….p8 file from the Keys page of the developer portal as it stands, with its "
        + "first and last line."
    case .empty, .notText, .sshKey, .publicKey, .certificateRequest, .wrongBlock,
      .wrongCurve:
      "Use the AuthKey_….p8 file from the Keys page of the developer portal."
    case .webPage: "Log in to the developer portal, and download the key again."
    case .providerToken:
      "Use the AuthKey_….p8 file; fanfare signs provider tokens with it."
    case .broken: "Download or copy the file again, from the first byte to the last."
    case .encrypted:
      "Put the password into a file and give --key-password-file, or set FANFARE_KEY_PASSWORD."
    case .wrongPassword: "Check the password: capitals, spaces and the keyboard layout matter."
    case .unsupportedEncryption:
      "Re-encrypt it where it can be opened: openssl pkcs8 -topk8 -in KEY -out KEY.p8"
    case .certificate, .pkcs12:
      "Give client certificates to --cert; --key takes the AuthKey_….p8 file."
    case .wrongAlgorithm:
      "A client certificate's key cannot sign provider tokens: use the AuthKey_….p8 file."
    case .openSSL: "Use the AuthKey_….p8 file as Apple delivered it."
    }
  }
}

extension CertificateError: Described {
  /// The error is about a separate key file.
  var isAboutKey: Bool {
    switch self {
    case .empty(.key), .wrongKind(_, .key), .broken(_, .key), .needsPassword(.key),
      .wrongPassword(.key):
      true
    default: false
    }
  }

  package var fix: String {
    switch self {
    case .isSigningKey: "Give the key to --key, with --team-id, and omit --cert."
    case .empty(.key), .wrongKind(_, .key):
      "Give --cert-key the key that the certificate was requested with."
    case .empty, .wrongKind, .noCertificate:
      "Export certificate and key together from Keychain Access as a .p12, and give it to --cert."
    case .broken: "Export or copy the file again, from the first byte to the last."
    case .needsPassword:
      "Put the password into a file and give --cert-password-file, or set FANFARE_CERT_PASSWORD."
    case .wrongPassword: "Check the password: capitals, spaces and the keyboard layout matter."
    case .legacyUnavailable:
      "Install OpenSSL's legacy provider, or re-encrypt the file: 'fanfare inspect' shows how."
    case .unsupportedEncryption, .tooManyIterations:
      "Export it again with AES: openssl pkcs12 -export -inkey KEY -in CERTIFICATE -out NEW.p12"
    case .noKey:
      "Export certificate and key together, or give the key's file to --cert-key."
    case .keyDoesNotMatch: "Give the key that the certificate was requested with."
    case .severalIdentities: "Export only the one to use."
    }
  }
}

extension CertificateProblem: Described {
  package var sentence: String {
    switch self {
    case .expired(let second, _): "The certificate expired on \(utcDay(second))."
    case .notYetValid(let second): "The certificate is not valid before \(utcDay(second))."
    case .expiresSoon(let days, _): "The certificate expires in \(counted(days, "day"))."
    case .notForPush(let kind): "This certificate \(kind.name); it cannot send pushes."
    case .wrongEnvironment(let environment, let allowed):
      "The certificate is for \(allowed.names), not for \(environment.rawValue)."
    case .topicNotCovered(let topic, let covered):
      "The certificate is for \(covered.names), not for \(topic.text)."
    case .typeNotCovered(let type, let covered):
      "The certificate has no topic for \(type.rawValue): it is for \(covered.names)."
    }
  }

  package var fix: String {
    switch self {
    case .expired(_, isMDM: true), .expiresSoon(_, isMDM: true):
      "Renew it at identity.apple.com/pushcert; a new one would have another topic."
    case .expired, .expiresSoon: "Create a new push certificate in the developer portal."
    case .notYetValid: "Check this machine's clock; see 'date -u'."
    case .notForPush(let kind) where kind.isOfVendor:
      "Sign the customer's request with it; the certificate then comes from "
        + "identity.apple.com/pushcert."
    case .notForPush:
      "Create an 'Apple Push Notification service SSL' certificate in the developer portal, or for "
        + "MDM a push certificate at identity.apple.com/pushcert."
    case .wrongEnvironment(_, let allowed):
      "Give --env \(allowed.map(\.rawValue).sorted().first ?? ""), or another certificate."
    case .topicNotCovered:
      "Give the certificate of that app, or the bundle ID that this one is for."
    case .typeNotCovered: "Send it with a signing key: --key AuthKey_….p8 and --team-id."
    }
  }
}

extension ClientIdentity.Failure: Described {
  package var fix: String {
    switch self {
    case .badCertificate, .badKey, .keyDoesNotMatch: "Export certificate and key together again."
    case .refused: "Create a new certificate with an RSA key of 2048 bits."
    }
  }
}

extension [CertificateTopic] {
  /// The topics, safe to print.
  package var names: String { map(\.topic.text.printable).joined(separator: ", ") }
}

extension Set<CertificateFacts.Environment> {
  package var names: String { map(\.rawValue).sorted().joined(separator: " and ") }
}
