internal import Credentials
internal import PlainText

extension Stranger {
  /// What it looks like.
  var sentence: String {
    switch self {
    case .empty: "There is nothing in it."
    case .credential(let kind): "This is \(kind.phrase)."
    case .format(let noun): "This is \(noun)."
    case .tooLarge(let limit):
      "It has more than \(grouped(limit)) bytes, and its start is no list of device tokens."
    case .utf16: "This is text in UTF-16."
    case .text: "This is text of a kind that is not known here."
    case .bytes: "These are bytes of a kind that is not known here."
    }
  }

  /// What to do about it.
  var fix: String {
    switch self {
    case .empty: "Download or copy the file again."
    case .credential(let kind): kind.fix
    case .utf16: "Save it as UTF-8, or name it .txt, .csv or .jsonl if it is a list."
    case .tooLarge: "Name a list .txt, .csv or .jsonl; nothing else is that long."
    case .format, .text, .bytes:
      "Name a .p8 key, a .p12 or PEM certificate, a provider token, a payload or a token list."
    }
  }
}

extension CredentialKind {
  /// What to do with it in the place of a key or certificate.
  var fix: String {
    switch self {
    case .publicKey: "It signs nothing; use the private key, the AuthKey_….p8 file."
    case .certificateRequest:
      "Upload it in the developer portal, and download the certificate that is made of it."
    case .provisioningProfile:
      "It goes into an app; pushes are sent with the AuthKey_….p8 file or a .p12."
    case .signedMessage: "Take the certificates out: openssl pkcs7 -print_certs -in FILE"
    case .openSSHKey: "Use the AuthKey_….p8 file from the Keys page of the developer portal."
    case .html: "Log in to the developer portal, and download the file again."
    default: "Use the AuthKey_….p8 file, or a .p12 or PEM with a certificate and its key."
    }
  }
}
