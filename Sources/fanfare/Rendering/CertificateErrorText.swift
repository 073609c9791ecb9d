internal import PlainText
internal import PushCore

extension CertificateError {
  /// What is wrong.
  var sentence: String {
    switch self {
    case .empty(let file): "The \(file.noun) is empty."
    case .wrongKind(let kind, let file): "This is \(kind.noun), not a \(file.noun)."
    case .isSigningKey: "This is a key without a certificate, such as the .p8 of provider tokens."
    case .broken(let kind, _): "This is \(kind.noun), but it is cut off or damaged."
    case .needsPassword(let file): "The \(file.noun) is locked with a password."
    case .wrongPassword(let file): "The password does not open the \(file.noun)."
    case .legacyUnavailable(let names):
      "It is locked with \(listed(names)), and OpenSSL's legacy provider is not installed."
    case .unsupportedEncryption(let names):
      "It is locked with \(listed(names)), which this OpenSSL cannot open."
    case .tooManyIterations(let count):
      "Unlocking it takes \(grouped(count)) rounds of hashing, which would keep a processor busy."
    case .noCertificate: "There is no certificate in it."
    case .noKey: "There is no key with the certificate."
    case .keyDoesNotMatch: "No key in it belongs to a certificate in it."
    case .severalIdentities(let names): "Several certificates have their key: \(listed(names))."
    }
  }

  /// What to do about it.
  var fix: String {
    switch self {
    case .empty: "Export the certificate again."
    case .wrongKind(let kind, _): kind.fix
    case .isSigningKey: "Give it to --key, with --key-id and --team-id."
    case .broken: "Export or copy the file again, from the first byte to the last."
    case .needsPassword(.certificate):
      "Put its password into a file and give --cert-password-file, or set FANFARE_CERT_PASSWORD."
    case .needsPassword(.key):
      "Put its password into a file and give --key-password-file, or set FANFARE_KEY_PASSWORD."
    case .wrongPassword: "Check the password; capitals, blanks and the keyboard's layout count."
    case .legacyUnavailable: "Lock it anew with AES; 'fanfare inspect FILE' prints the commands."
    case .unsupportedEncryption, .tooManyIterations:
      "Lock it anew where it can be opened, with the defaults of 'openssl pkcs12 -export'."
    case .noCertificate: "Export certificate and key together as a .p12."
    case .noKey: "Give the file with its key too, or export both as a .p12."
    case .keyDoesNotMatch:
      "Use the key that the request for this certificate was made with; they only fit together."
    case .severalIdentities: "Export the one that is meant into a file of its own."
    }
  }

  private func listed(_ names: [String]) -> String {
    names.prefix(5).map(\.printable).joined(separator: ", ")
  }
}

extension CertificateError.File {
  /// What the file is called.
  var noun: String {
    switch self {
    case .certificate: "certificate"
    case .key: "key"
    }
  }
}
