internal import COpenSSL

extension KeyBlock {
  /// Decrypts the key. The caller owns the result.
  ///
  /// - Throws: `.encrypted`, `.wrongPassword`, `.unsupportedEncryption` or `.broken`.
  func unlockedKey(_ password: SecretBytes?) throws(SigningKeyError) -> OpaquePointer {
    guard let password else { throw .encrypted }
    ERR_clear_error()
    let key =
      if let lock { try keyInLockedPEM(lock, password) } else { try keyInLockedPKCS8(password) }
    // Rarely, decryption with a wrong password seems to succeed but yields an invalid key.
    guard let key else { throw .wrongPassword }
    return key
  }

  /// Decrypts PKCS#8's own encryption (RFC 5958 section 3).
  private func keyInLockedPKCS8(_ password: SecretBytes) throws(SigningKeyError) -> OpaquePointer? {
    guard let locked = der.withBytes({ decoded($0) { d2i_X509_SIG(nil, $0, $1) } }) else {
      throw .broken(label: label)
    }
    defer { X509_SIG_free(locked) }
    let lock = PasswordEncryption(ofKey: locked)
    // A malicious file could keep the CPU busy for minutes.
    if let lock, lock.iterations > PasswordEncryption.maximumIterations {
      throw .unsupportedEncryption("\(lock.name), \(lock.iterations) rounds")
    }
    let info = password.withBytes { password in
      PKCS8_decrypt(
        locked, password.bindMemory(to: CChar.self).baseAddress, Int32(clamping: password.count))
    }
    guard let info else { throw refusal(of: lock?.name ?? "unknown") }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    return keyIn(info)
  }

  private func keyIn(_ info: OpaquePointer) -> OpaquePointer? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = Int(i2d_PKCS8_PRIV_KEY_INFO(info, &bytes))
    guard count > 0 else { return nil }
    defer { CRYPTO_clear_free(bytes, count, nil, 0) }
    return anyKey(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private func keyInLockedPEM(
    _ lock: PEMLock, _ password: SecretBytes
  ) throws(SigningKeyError) -> OpaquePointer? {
    guard let opened = lock.open(der, with: password) else { throw refusal(of: lock.cipher) }
    return opened.withBytes(anyKey)
  }
}

extension KeyBlock {
  /// The encryption and its hashing iterations; nil if the key is not encrypted.
  var lockFacts: PrivateKeyFacts.Lock? {
    if let lock { return .init(name: lock.cipher, iterations: 1) }
    guard isLocked, let locked = der.withBytes({ decoded($0) { d2i_X509_SIG(nil, $0, $1) } })
    else { return nil }
    defer { X509_SIG_free(locked) }
    return PasswordEncryption(ofKey: locked).map { .init(name: $0.name, iterations: $0.iterations) }
  }
}

/// Distinguishes an algorithm this OpenSSL lacks from a wrong password.
private func refusal(of lock: String) -> SigningKeyError {
  OpenSSLErrors.sayUnsupported() ? .unsupportedEncryption(lock) : .wrongPassword
}
