/// What a `.p12` or a key may be locked with.
///
/// No password and an empty one are different keys in PKCS#12: Keychain writes one, others the
/// other (RFC 7292 appendix B.1 has an empty one end in two zero bytes).
enum Passphrase {
  case none
  case empty
  case secret(SecretBytes)

  /// What to try for a password that a person gave, or did not.
  static func candidates(for password: SecretBytes?) -> [Passphrase] {
    guard let password, password.count > 0 else { return [.empty, .none] }
    return [.secret(password)]
  }

  /// Lends it the way OpenSSL takes it: UTF-8 and its length. Not ended by a zero byte.
  func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, Int32) -> Result) -> Result {
    switch self {
    case .none: body(nil, 0)
    case .empty: body("", 0)
    case .secret(let bytes):
      bytes.withBytes { body($0.bindMemory(to: CChar.self).baseAddress, Int32(clamping: $0.count)) }
    }
  }
}
