internal import COpenSSL

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
