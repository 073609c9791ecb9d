internal import COpenSSL

/// Decrypts a `.p12` and extracts its contents.
struct PKCS12Reader {
  /// The maximum nesting depth of bags. Real files have one level.
  static let greatestDepth = 8

  let archive: PKCS12Archive
  let context: LibraryContext
  let unlocking: Unlocking
  let takesKeys: Bool

  /// Reads the contents.
  ///
  /// - Throws: `CertificateError`; `unsupportedEncryption` if the context lacks an algorithm.
  func read() throws(CertificateError) -> CredentialParts {
    defer { ERR_clear_error() }
    try checkSeal()
    guard let safes = archive.safes() else { throw damage }
    var parts = CredentialParts()
    try safes.forEach { (safe) throws(CertificateError) in
      try bags(of: PKCS12Safe(safe))?.forEach { (bag) throws(CertificateError) in
        try add(bag, to: &parts, depth: 0)
      }
    }
    parts.encryption = PKCS12Encryption(archive)
    return parts
  }

  private var damage: CertificateError { .broken(.pkcs12, unlocking.file) }

  /// Verifies the MAC. A failure is reported as a wrong password, but may also mean damage.
  private func checkSeal() throws(CertificateError) {
    guard let mac = archive.mac else { return }
    try mac.check()
    try unlocking.unlock(mac, else: unlocking.refusal) { archive.isSealed(with: $0) ? () : nil }
  }

  /// The bags of a safe; nil for an unknown form, such as encryption with a certificate.
  private func bags(of safe: PKCS12Safe) throws(CertificateError) -> OwnedStack? {
    guard let lock = safe.lock else { return safe.openBags() }
    return try unlocking.unlock(lock, else: failure) { safe.bags(unlockedWith: $0) }
  }

  /// The error for a failed decryption: if the MAC was verified, the password cannot be wrong.
  private var failure: CertificateError { archive.mac == nil ? unlocking.refusal : damage }

  private func add(
    _ bag: UnsafeMutableRawPointer, to parts: inout CredentialParts, depth: Int
  ) throws(CertificateError) {
    guard let bag = PKCS12Bag(bag) else { throw damage }
    switch bag {
    case .certificate(let certificate): parts.certificates.append(certificate)
    case .key(let info): try add(CertificateKey(info), to: &parts)
    case .lockedKey(let key): if takesKeys { try add(unlocked(key), to: &parts) }
    case .bags(let bags): try add(bags, to: &parts, depth: depth)
    case .other: break
    }
  }

  private func add(
    _ key: CertificateKey?, to parts: inout CredentialParts
  ) throws(CertificateError) {
    guard let key else { throw damage }
    if takesKeys { parts.keys.append(key) }
  }

  private func add(
    _ bags: OpaquePointer, to parts: inout CredentialParts, depth: Int
  ) throws(CertificateError) {
    guard depth < Self.greatestDepth else { throw damage }
    try OwnedStack.forEach(in: bags) { (bag) throws(CertificateError) in
      try add(bag, to: &parts, depth: depth + 1)
    }
  }

  private func unlocked(_ key: OpaquePointer) throws(CertificateError) -> CertificateKey {
    guard let lock = PasswordEncryption(ofKey: key) else { throw damage }
    return try unlocking.unlock(lock, else: failure) {
      CertificateKey(locked: key, with: $0, context)
    }
  }
}
