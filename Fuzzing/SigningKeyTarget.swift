internal import Credentials

extension FuzzTarget {
  /// What is given as a signing key: read from a file and as a variable, with and without a
  /// password. What is taken can be used.
  static let signingKey = FuzzTarget("SigningKey") { bytes in
    let contents = bytes.withUnsafeBytes { SecretBytes(copying: $0) }
    try expectKeyOrReason(contents, password: nil)
    try expectKeyOrReason(contents, password: SecretBytes("x"))
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if case .contents(let held) = KeyText(text) {
      try expect(held.count == bytes.count, "a variable's key is its whole text")
    }
  }

  private static func expectKeyOrReason(_ contents: SecretBytes, password: SecretBytes?) throws {
    do throws(SigningKeyError) {
      let key = try SigningKey(contents: contents, password: password)
      let (publicHalf, signature) = (try key.publicKeyDER(), try key.signature(of: [1]))
      if publicHalf.isEmpty || signature.count != 64 { throw .openSSL("half a key") }
    } catch {
      if case .openSSL(let reason) = error {
        throw BrokenPromise(promise: "a key that is taken can be used", evidence: reason)
      }
      let needsPassword = error == .encrypted
      try expect(
        !needsPassword || SigningKey.isLocked(contents) && password == nil,
        "a password is asked for where there is a lock")
    }
  }
}
