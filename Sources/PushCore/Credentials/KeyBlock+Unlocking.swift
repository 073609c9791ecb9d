internal import COpenSSL

extension KeyBlock {
  /// The key behind the lock. The caller owns it.
  ///
  /// - Throws: `.encrypted`, `.wrongPassword`, `.unsupportedEncryption` or `.broken`.
  func unlockedKey(_ password: SecretBytes?) throws(SigningKeyError) -> OpaquePointer {
    guard let password else { throw .encrypted }
    ERR_clear_error()
    let key = try lock == nil ? keyInLockedPKCS8(password) : keyInLockedPEM(password)
    // A wrong password can, rarely, look like a right one until the key makes no sense.
    guard let key else { throw .wrongPassword }
    return key
  }

  /// PKCS#8's own lock (RFC 5958 section 3).
  private func keyInLockedPKCS8(_ password: SecretBytes) throws(SigningKeyError) -> OpaquePointer? {
    guard let locked = der.withBytes({ decoded($0) { d2i_X509_SIG(nil, $0, $1) } }) else {
      throw .broken(label: label)
    }
    defer { X509_SIG_free(locked) }
    let info = password.withBytes { password in
      PKCS8_decrypt(
        locked, password.bindMemory(to: CChar.self).baseAddress, Int32(clamping: password.count))
    }
    guard let info else { throw refusal(of: lockName(locked)) }
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

  /// The lock that PEM used to have (RFC 1421 section 4.6.1.1).
  private func keyInLockedPEM(_ password: SecretBytes) throws(SigningKeyError) -> OpaquePointer? {
    var cipher = EVP_CIPHER_INFO()
    var header = Array((lock ?? "").utf8CString)
    guard PEM_get_EVP_CIPHER_INFO(&header, &cipher) == 1, let opened = opened(&cipher, password)
    else { throw refusal(of: lock?.lockName ?? "unknown") }
    return opened.withBytes(anyKey)
  }

  private func opened(_ cipher: inout EVP_CIPHER_INFO, _ password: SecretBytes) -> SecretBytes? {
    let opened = SecretBytes(capacity: der.count) { buffer in
      der.withBytes { buffer.copyMemory(from: $0) }
      var count = der.count
      let isOpen = password.terminated.withBytes { password in
        PEM_do_header(
          &cipher, buffer.bindMemory(to: UInt8.self).baseAddress, &count, nil,
          UnsafeMutableRawPointer(mutating: password.baseAddress))
      }
      return isOpen == 1 ? count : 0
    }
    return opened.count > 0 ? opened : nil
  }
}

extension KeyBlock {
  /// How it is locked, and with how many rounds of hashing; nil when it is not.
  var lockFacts: PrivateKeyFacts.Lock? {
    if let lock { return .init(name: lock.lockName ?? "unknown", iterations: 1) }
    guard isLocked, let locked = der.withBytes({ decoded($0) { d2i_X509_SIG(nil, $0, $1) } })
    else { return nil }
    defer { X509_SIG_free(locked) }
    return PasswordLock(ofKey: locked).map { .init(name: $0.name, iterations: $0.iterations) }
  }
}

extension SecretBytes {
  /// With a zero behind it, as C's texts end.
  fileprivate var terminated: SecretBytes {
    withBytes { bytes in
      SecretBytes(capacity: bytes.count + 1) { buffer in
        buffer.copyMemory(from: bytes)
        buffer[bytes.count] = 0
        return bytes.count + 1
      }
    }
  }
}

/// Tells a lock that this OpenSSL does not know from a password that does not fit.
private func refusal(of lock: String) -> SigningKeyError {
  while true {
    let code = ERR_get_error()
    if code == 0 { return .wrongPassword }
    if fanfare_is_unsupported(code) != 0 {
      ERR_clear_error()
      return .unsupportedEncryption(lock)
    }
  }
}

/// The name of the cipher of a locked PKCS#8, which stands inside PBES2 where that is its frame
/// (RFC 8018 section 6.2).
private func lockName(_ locked: OpaquePointer) -> String {
  var algorithm: UnsafePointer<X509_ALGOR>?
  X509_SIG_get0(locked, &algorithm, nil)
  guard let algorithm = algorithm?.pointee else { return "unknown" }
  guard OBJ_obj2nid(algorithm.algorithm) == NID_pbes2,
    let unpacked = ASN1_TYPE_unpack_sequence(PBE2PARAM_it(), algorithm.parameter)
  else { return objectName(algorithm.algorithm) }
  let frame = unpacked.assumingMemoryBound(to: PBE2PARAM.self)
  defer { PBE2PARAM_free(frame) }
  return objectName(frame.pointee.encryption?.pointee.algorithm)
}

/// OpenSSL's name of an object, or its number.
private func objectName(_ object: OpaquePointer?) -> String {
  var text = [CChar](repeating: 0, count: 80)
  let count = Int(OBJ_obj2txt(&text, Int32(text.count), object, 0))
  return String(
    decoding: text.prefix(min(max(0, count), 79)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension String {
  /// The cipher that the header of a PEM block names behind `DEK-Info:`.
  fileprivate var lockName: String? {
    guard let field = firstRange(of: "DEK-Info: ") else { return nil }
    return String(self[field.upperBound...].prefix { $0 != "," && !$0.isNewline })
  }
}
