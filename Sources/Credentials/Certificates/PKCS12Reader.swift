internal import COpenSSL

/// Unlocks a `.p12` and takes out what is in it.
struct PKCS12Reader {
  /// How deep bags may be nested. One level is all that is seen.
  static let greatestDepth = 8

  let archive: PKCS12Archive
  let context: LibraryContext
  let unlocking: Unlocking
  let takesKeys: Bool

  /// What is in it.
  ///
  /// - Throws: `CertificateError`; `unsupportedEncryption` when the context lacks an algorithm.
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

  /// The seal tells a wrong password. Whether what it seals was damaged instead, it does not tell.
  private func checkSeal() throws(CertificateError) {
    guard let mac = archive.mac else { return }
    try mac.check()
    try unlocking.unlock(mac, else: unlocking.refusal) { archive.isSealed(with: $0) ? () : nil }
  }

  /// Nil for a safe of a form that is not known here, such as one locked with a certificate.
  private func bags(of safe: PKCS12Safe) throws(CertificateError) -> OwnedStack? {
    guard let lock = safe.lock else { return safe.openBags() }
    return try unlocking.unlock(lock, else: failure) { safe.bags(unlockedWith: $0) }
  }

  /// What it means that a lock does not open: behind a seal that did, not a wrong password.
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
    guard let lock = PasswordLock(ofKey: key) else { throw damage }
    return try unlocking.unlock(lock, else: failure) {
      CertificateKey(locked: key, with: $0, context)
    }
  }
}
