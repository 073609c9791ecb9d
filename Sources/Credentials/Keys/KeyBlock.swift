internal import COpenSSL

/// The contents of a key file: its DER and how the file presents it.
struct KeyBlock {
  /// The label of the PEM block; nil for bytes without one.
  let label: String?
  /// The encryption of an old PEM block; nil if it has none.
  let lock: PEMLock?
  /// The file's encoding.
  let encoding: PrivateKeyFacts.Encoding
  /// The DER, possibly encrypted.
  let der: SecretBytes

  /// Reads PEM, DER, or base64 of either. Line breaks may have become blanks or `\n`.
  ///
  /// - Throws: `SigningKeyError` if it is none of these, or a PEM block is unreadable or has a
  ///   label that rules out a signing key.
  init(_ contents: SecretBytes) throws(SigningKeyError) {
    let block = try KeyBlock(ofAnyKind: contents)
    if let fault = block.label.flatMap({ SigningKeyError(label: $0) }) { throw fault }
    self = block
  }

  /// The same, for any label of a PEM block.
  init(ofAnyKind contents: SecretBytes) throws(SigningKeyError) {
    let contents = contents.inUTF8
    if contents.holdsPEM {
      try self.init(pem: contents, .pem)
    } else if !contents.isText {
      self.init(der: contents, .der)
    } else if let decoded = contents.base64Decoded, decoded.holdsPEM || !decoded.isText {
      if decoded.holdsPEM {
        try self.init(pem: decoded, .base64)
      } else {
        self.init(der: decoded, .base64)
      }
    } else {
      throw SigningKeyError(text: contents)
    }
  }

  private init(der: SecretBytes, _ encoding: PrivateKeyFacts.Encoding) {
    (label, lock, self.der, self.encoding) = (nil, nil, der, encoding)
  }

  private init(
    pem: SecretBytes, _ encoding: PrivateKeyFacts.Encoding
  ) throws(SigningKeyError) {
    guard let block = PEMBlock.first(in: PEMText.unfolded(pem) ?? pem) else {
      let label = PEMText.label(in: pem)
      throw SigningKeyError(label: label ?? "") ?? .broken(label: label)
    }
    (label, lock, der) = (block.label, block.lock, block.bytes)
    self.encoding = encoding
  }
}

extension SigningKeyError {
  /// The error for a PEM block with this label; nil if it may be a usable key.
  init?(label: String) {
    switch label {
    case "PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY": return nil
    case "RSA PRIVATE KEY": self = .wrongAlgorithm("RSA")
    case "DSA PRIVATE KEY": self = .wrongAlgorithm("DSA")
    case "OPENSSH PRIVATE KEY": self = .sshKey
    case "PUBLIC KEY", "RSA PUBLIC KEY", "EC PUBLIC KEY": self = .publicKey
    case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE": self = .certificate
    case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST": self = .certificateRequest
    default: self = .wrongBlock(label: label)
    }
  }

  /// The error for text without PEM.
  fileprivate init(text: SecretBytes) {
    self = text.withBytes { text in
      let text = text.trimmed
      if text.isEmpty { return .empty }
      if text.first == UInt8(ascii: "<") { return .webPage }
      let isToken = text.starts(with: "eyJ".utf8) && text.count { $0 == UInt8(ascii: ".") } == 2
      if isToken { return .providerToken }
      let ssh = ["ssh-", "ecdsa-sha2-", "sk-", "PuTTY-User-Key-File", "---- BEGIN SSH2"]
      return ssh.contains { text.starts(with: $0.utf8) } ? .sshKey : .notPEM
    }
  }
}

extension KeyBlock {
  /// A password is needed to read the key.
  var isLocked: Bool { lock != nil || label == "ENCRYPTED PRIVATE KEY" || isLockedDER }

  /// Parses the private key, of any algorithm and curve. The caller owns the result.
  ///
  /// - Throws: `SigningKeyError` if there is none, or it cannot be decrypted.
  func privateKey(_ password: SecretBytes?) throws(SigningKeyError) -> OpaquePointer {
    if isLocked { return try unlockedKey(password) }
    if let key = der.withBytes(anyKey) { return key }
    throw label == nil ? der.withBytes(fault) : .broken(label: label)
  }

  private var isLockedDER: Bool {
    guard label == nil else { return false }
    return der.withBytes { der in
      let locked = decoded(der) { d2i_X509_SIG(nil, $0, $1) }
      defer { X509_SIG_free(locked) }
      return locked != nil
    }
  }
}

/// Parses an unencrypted key in DER. OpenSSL's decoder knows every kind, but is ten times too slow
/// for sending, so P-256, the one kind Apple issues, is tried first.
func anyKey(_ der: UnsafeRawBufferPointer) -> OpaquePointer? {
  let quick = p256Key(inPKCS8: der) ?? decoded(der) { fanfare_ec_key($0?.pointee, $1) }
  return quick ?? decoded(der) { d2i_AutoPrivateKey(nil, $0, $1) }
}

private func p256Key(inPKCS8 der: UnsafeRawBufferPointer) -> OpaquePointer? {
  guard let info = decoded(der, { d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }) else { return nil }
  defer { PKCS8_PRIV_KEY_INFO_free(info) }
  var (key, count): (UnsafePointer<UInt8>?, Int32) = (nil, 0)
  var algorithm: UnsafePointer<X509_ALGOR>?
  guard PKCS8_pkey_get0(nil, &key, &count, &algorithm, info) == 1, isP256(algorithm) else {
    return nil
  }
  return fanfare_ec_key(key, Int(count))
}

/// Returns true for elliptic curve with P-256 given by name (RFC 5480 section 2.1.1).
private func isP256(_ algorithm: UnsafePointer<X509_ALGOR>?) -> Bool {
  var (name, parameters): (OpaquePointer?, UnsafeRawPointer?)
  var kind: Int32 = 0
  X509_ALGOR_get0(&name, &kind, &parameters, algorithm)
  guard kind == V_ASN1_OBJECT, OBJ_obj2nid(name) == NID_X9_62_id_ecPublicKey else { return false }
  return OBJ_obj2nid(parameters.map { OpaquePointer($0) }) == NID_X9_62_prime256v1
}

/// The error for DER that contains no private key.
private func fault(_ der: UnsafeRawBufferPointer) -> SigningKeyError {
  if isCertificate(der) { return .certificate }
  if isRequest(der) { return .certificateRequest }
  if isPKCS12(der) { return .pkcs12 }
  if isPublicKey(der) { return .publicKey }
  // All kinds above are sequences, so this one must be truncated or damaged.
  return der.first == 0x30 ? .broken(label: nil) : .notText
}

private func isCertificate(_ der: UnsafeRawBufferPointer) -> Bool {
  let certificate = decoded(der) { d2i_X509(nil, $0, $1) }
  defer { X509_free(certificate) }
  return certificate != nil
}

private func isRequest(_ der: UnsafeRawBufferPointer) -> Bool {
  let request = decoded(der) { d2i_X509_REQ(nil, $0, $1) }
  defer { X509_REQ_free(request) }
  return request != nil
}

private func isPKCS12(_ der: UnsafeRawBufferPointer) -> Bool {
  let file = decoded(der) { d2i_PKCS12(nil, $0, $1) }
  defer { PKCS12_free(file) }
  return file != nil
}

private func isPublicKey(_ der: UnsafeRawBufferPointer) -> Bool {
  let key = decoded(der) { d2i_PUBKEY(nil, $0, $1) }
  defer { EVP_PKEY_free(key) }
  return key != nil
}

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
