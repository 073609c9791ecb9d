internal import Credentials
internal import PlainText

extension UnrecognizedContent {
  /// What the file contains instead.
  var sentence: String {
    switch self {
    case .empty: "The file is empty."
    case .credential(let kind): "This is \(kind.phrase)."
    case .format(let noun): "This is \(noun)."
    case .tooLarge(let limit):
      "It is larger than \(grouped(limit)) bytes, and does not begin like a list of device tokens."
    case .utf16: "This is UTF-16 text."
    case .text: "This text is not in a format that fanfare knows."
    case .bytes: "This is not in a format that fanfare knows."
    }
  }

  /// What to do about it.
  var fix: String {
    switch self {
    case .empty: "Download or copy the file again."
    case .credential(let kind): kind.fix
    case .utf16: "Save it as UTF-8; if it is a list, name it .txt, .csv or .jsonl."
    case .tooLarge: "If it is a list, name it .txt, .csv or .jsonl; nothing else is that large."
    case .format, .text, .bytes:
      "Give a .p8 key, a .p12 or PEM certificate, a provider token, a payload or a token list."
    }
  }
}

extension CredentialKind {
  /// What to use instead of it.
  var fix: String {
    switch self {
    case .publicKey: "It cannot sign; use the private key, the AuthKey_….p8 file."
    case .certificateRequest:
      "Upload it in the developer portal, and download the certificate."
    case .provisioningProfile:
      "It is for building apps; use the AuthKey_….p8 file or a .p12."
    case .signedMessage: "Extract the certificates: openssl pkcs7 -print_certs -in FILE"
    case .openSSHKey: "Use the AuthKey_….p8 file from the Keys page of the developer portal."
    case .html: "Log in to the developer portal, and download the file again."
    default: "Use the AuthKey_….p8 file, or a .p12 or PEM with a certificate and its key."
    }
  }
}

extension Failure {
  /// A file contains nothing that can be inspected.
  static func unrecognized(file: String, _ content: UnrecognizedContent) -> Failure {
    Failure("\(file.printable): \(content.sentence)", fix: content.fix, cause: content)
  }

  /// A text is not a provider token. `name` is its file.
  static func providerToken(name: String, _ fault: ProviderTokenFault) -> Failure {
    Failure("\(name.printable): \(fault.sentence)", fix: fault.fix, cause: fault)
  }
}
