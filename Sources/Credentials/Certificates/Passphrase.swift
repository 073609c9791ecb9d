/// A password candidate for a `.p12` or a key.
///
/// No password and an empty one are different keys in PKCS#12, and programs differ in which they
/// use, Keychain included (in RFC 7292 appendix B.1 an empty one ends in two zero bytes).
enum Passphrase {
  case none
  case empty
  case secret(SecretBytes)

  /// The candidates for the password that was given, if any.
  static func candidates(for password: SecretBytes?) -> [Passphrase] {
    guard let password, password.count > 0 else { return [.empty, .none] }
    return [.secret(password)]
  }

  /// Passes it the way OpenSSL takes it: UTF-8 with its length, not null-terminated.
  func withCharacters<Result>(_ body: (UnsafePointer<CChar>?, Int32) -> Result) -> Result {
    switch self {
    case .none: body(nil, 0)
    case .empty: body("", 0)
    case .secret(let bytes):
      bytes.withBytes { body($0.bindMemory(to: CChar.self).baseAddress, Int32(clamping: $0.count)) }
    }
  }
}
