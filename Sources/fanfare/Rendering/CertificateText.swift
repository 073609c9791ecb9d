internal import APNS
internal import Credentials
internal import HTTP2
internal import POSIX
internal import PlainText

extension CertificateError {
  /// What is wrong with a certificate's files, and what to do about it.
  func sentences(_ name: String, keyName: String?) -> (what: String, fix: String) {
    let (what, fix) = (clause, remedy)
    let file = isAboutKey ? keyName ?? name : name
    return ("\(file.printable): \(what)", fix)
  }

  private var isAboutKey: Bool {
    switch self {
    case .empty(.key), .wrongKind(_, .key), .broken(_, .key), .needsPassword(.key),
      .wrongPassword(.key):
      true
    default: false
    }
  }

  /// What is wrong.
  var clause: String {
    switch self {
    case .empty: "There is nothing in it."
    case .wrongKind(let kind, .certificate): "This is \(kind.phrase), not a client certificate."
    case .wrongKind(let kind, .key): "This is \(kind.phrase), not the certificate's private key."
    case .isSigningKey: "This is a signing key, not a client certificate."
    case .broken(let kind, _): "This is \(kind.phrase), cut off or damaged."
    case .needsPassword: "It is locked with a password."
    case .wrongPassword: "The password does not open it."
    case .legacyUnavailable(let names):
      "It is locked with \(names.list), which this OpenSSL opens with its legacy provider only."
    case .unsupportedEncryption(let names):
      "It is locked with \(names.list), which this OpenSSL cannot open."
    case .tooManyIterations(let count):
      "Unlocking it would take \(grouped(count)) rounds of hashing."
    case .noCertificate: "There is no certificate in it."
    case .noKey(let names): "There is no private key for the certificate \(names.list)."
    case .keyDoesNotMatch(let names):
      "The private key does not belong to the certificate \(names.list)."
    case .severalIdentities(let names):
      "Several certificates could be meant: \(names.list)."
    }
  }

  /// What to do about it.
  var remedy: String {
    switch self {
    case .isSigningKey: "Give the key to --key, with --team-id, and leave --cert out."
    case .empty(.key), .wrongKind(_, .key):
      "Give the key that the certificate was requested with to --cert-key."
    case .empty, .wrongKind, .noCertificate:
      "Export certificate and key together from Keychain Access as a .p12, and give that to --cert."
    case .broken: "Export or copy the file again, from the first byte to the last."
    case .needsPassword:
      "Put its password into a file and give --cert-password-file, or set FANFARE_CERT_PASSWORD."
    case .wrongPassword: "Check the password; capitals, blanks and the keyboard's layout count."
    case .legacyUnavailable:
      "Install OpenSSL's legacy provider, or lock the file anew: 'fanfare inspect' tells how."
    case .unsupportedEncryption, .tooManyIterations:
      "Export it again with AES: openssl pkcs12 -export -inkey KEY -in CERTIFICATE -out NEW.p12"
    case .noKey:
      "Export certificate and key together, or give the key's own file to --cert-key."
    case .keyDoesNotMatch: "Give the key that the certificate was requested with."
    case .severalIdentities: "Export the one that is meant alone."
    }
  }
}

extension CredentialKind {
  /// What it is, with its article.
  var phrase: String {
    switch self {
    case .pkcs12: "a PKCS#12 file"
    case .pem: "a PEM text"
    case .certificate: "a certificate"
    case .privateKey: "a private key"
    case .lockedPrivateKey: "a locked private key"
    case .publicKey: "a public key"
    case .certificateRequest: "a request for a certificate"
    case .provisioningProfile: "a provisioning profile"
    case .signedMessage: "a signed message or a bundle of certificates without keys"
    case .openSSHKey: "a key for SSH"
    case .providerToken: "a provider token"
    case .html: "a web page"
    case .propertyList: "a property list"
    case .json: "JSON"
    case .otherPEM(let label): "a '\(label.printable)'"
    case .unknown: "something else"
    }
  }
}

extension CertificateProblem {
  /// What stands between the certificate of this name and a push, and what to do about it.
  func sentences(_ name: String) -> (what: String, fix: String) {
    ("\(name.printable): \(clause)", remedy)
  }

  /// What stands in the way.
  var clause: String {
    switch self {
    case .expired(let second): "The certificate expired on \(utcDay(second))."
    case .notYetValid(let second): "The certificate is not valid before \(utcDay(second))."
    case .expiresSoon(let days): "The certificate expires in \(counted(days, "day"))."
    case .notForPush(let kind): "This certificate \(kind.name); no push can be sent with it."
    case .wrongEnvironment(let environment, let allowed):
      "The certificate is for \(allowed.names), not for \(environment.rawValue)."
    case .topicNotCovered(let topic, let covered):
      "The certificate is for \(covered.names), not for \(topic.text)."
    case .typeNotCovered(let type, let covered):
      "The certificate has no topic for \(type.rawValue): it is for \(covered.names)."
    }
  }

  /// What to do about it.
  var remedy: String {
    switch self {
    case .expired, .expiresSoon: "Create a new push certificate in the developer portal."
    case .notYetValid: "Check this machine's clock with 'date -u'."
    case .notForPush:
      "Create an 'Apple Push Notification service SSL' certificate in the developer portal."
    case .wrongEnvironment(_, let allowed):
      "Give --env \(allowed.map(\.rawValue).sorted().first ?? ""), or another certificate."
    case .topicNotCovered:
      "Give the certificate of that app, or the bundle id that this one is for."
    case .typeNotCovered: "Send it with a signing key: --key AuthKey_….p8 and --team-id."
    }
  }
}

extension ClientIdentity.Failure {
  /// Why OpenSSL would not show the certificate, and what to do about it.
  func sentences(_ name: String) -> (what: String, fix: String) {
    switch self {
    case .refused(let words):
      (
        "\(name.printable): OpenSSL does not take the certificate: \(words.printable).",
        "Create a new certificate with an RSA key of 2048 bits."
      )
    case .badCertificate, .badKey, .keyDoesNotMatch:
      (
        "\(name.printable): OpenSSL cannot use the certificate with its key.",
        "Export certificate and key together once more."
      )
    }
  }
}

extension [String] {
  /// Names from outside, safe to print.
  fileprivate var list: String { map { $0.printable }.joined(separator: ", ") }
}

extension [CertificateTopic] {
  /// The topics, safe to print.
  var names: String { map(\.topic.text.printable).joined(separator: ", ") }
}

extension Set<CertificateFacts.Environment> {
  /// The environments in words.
  var names: String { map(\.rawValue).sorted().joined(separator: " and ") }
}

/// The day of a second since 1970, in UTC: `2026-11-21`.
func utcDay(_ second: Int64) -> String { String(ISO8601.text(seconds: second).prefix(10)) }
