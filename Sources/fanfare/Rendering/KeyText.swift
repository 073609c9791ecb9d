internal import APNS
internal import PlainText
internal import PushCore

extension SigningKeyError {
  /// What is wrong with the key.
  var sentence: String {
    switch self {
    case .empty: "The key is empty."
    case .notPEM: "This is no key: it has no '-----BEGIN PRIVATE KEY-----' line."
    case .broken(let label): "The block '\(label.printable)' is cut off or damaged."
    case .encrypted: "The key is locked with a password."
    case .wrongBlock(let label): "This is a '\(label.printable)', not a private key."
    case .wrongAlgorithm(let name): "This is a key for \(name.printable), not for elliptic curves."
    case .wrongCurve(let name): "The key is on the curve \(name.printable), not on P-256."
    case .openSSL(let reason): "OpenSSL cannot use the key: \(reason.printable)."
    }
  }

  /// What to do about it.
  var fix: String {
    switch self {
    case .empty, .notPEM, .wrongBlock, .wrongAlgorithm, .wrongCurve:
      "Use the AuthKey_….p8 file from the Keys page of the developer portal."
    case .broken: "Download or copy the file again, from the first dash to the last."
    case .encrypted: "Take the password off: openssl pkcs8 -in KEY -out KEY.p8 -topk8 -nocrypt"
    case .openSSL: "Use the AuthKey_….p8 file as Apple delivered it."
    }
  }
}

extension DeviceTokenError {
  /// What is wrong with a device token, as a clause.
  var clause: String {
    switch self {
    case .empty: "there is nothing"
    case .oddLength(let count): "it has \(count) digits, an odd number; part of it is missing"
    case .tooLong(let count): "it has \(count) characters; no device token is that long"
    case .notHex(let character, let offset):
      "'\(String(character).printable)' at place \(offset + 1) is no hexadecimal digit"
    case .looksLikeUUID:
      "it looks like the id of a simulator or device; the app's device token is needed"
    case .looksLikeBase64: "it looks like base64; write the token's bytes in hexadecimal"
    }
  }
}
