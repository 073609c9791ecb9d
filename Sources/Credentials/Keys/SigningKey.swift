internal import COpenSSL

/// The private key of a `.p8` file: an elliptic-curve key on P-256 that signs provider tokens.
///
/// The one owner of its key bytes; OpenSSL wipes them when it goes.
public struct SigningKey: ~Copyable, Sendable {
  /// OpenSSL reads a finished EVP_PKEY from any thread.
  private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }

  private let key: Handle

  private init(owning pointer: OpaquePointer) { key = Handle(pointer: pointer) }

  deinit { EVP_PKEY_free(key.pointer) }

  /// A key from what a `.p8` file or a variable holds.
  ///
  /// Taken are PKCS#8 (RFC 5958) as Apple hands it out, the older form `EC PRIVATE KEY` (RFC 5915),
  /// and both locked with a password; in PEM, in DER, in base64 of either, and in PEM whose line
  /// ends became blanks or `\n`. No copy of the contents is left behind.
  ///
  /// - Parameter password: what opens a locked key; not looked at when the key has no lock.
  /// - Throws: `SigningKeyError`, one case for each way a key can be the wrong one.
  public init(contents: SecretBytes, password: SecretBytes? = nil) throws(SigningKeyError) {
    defer { ERR_clear_error() }
    if contents.isBlank { throw .empty }
    let pointer = try KeyBlock(contents).privateKey(password)
    do throws(SigningKeyError) {
      try checkIsP256(pointer)
    } catch {
      EVP_PKEY_free(pointer)
      throw error
    }
    self.init(owning: pointer)
  }

  /// Whether a password is needed to open what these contents hold. False for what is no key.
  public static func isLocked(_ contents: SecretBytes) -> Bool {
    defer { ERR_clear_error() }
    return (try? KeyBlock(contents))?.isLocked ?? false
  }

  /// A fresh key for tests and for the emulator.
  public static func generate() throws(SigningKeyError) -> SigningKey {
    guard let pointer = fanfare_generate_p256_key() else { throw .openSSL(lastOpenSSLReason()) }
    return SigningKey(owning: pointer)
  }
}

/// Whether a key of OpenSSL's can sign provider tokens.
///
/// - Throws: `.wrongAlgorithm` or `.wrongCurve`.
func checkIsP256(_ key: OpaquePointer) throws(SigningKeyError) {
  guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else {
    throw .wrongAlgorithm(EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown")
  }
  let curve = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
    EVP_PKEY_get_group_name(key, name.baseAddress, name.count, nil) == 1
      ? name.baseAddress.map { String(cString: $0) } : nil
  }
  guard curve == "prime256v1" || curve == "P-256" else { throw .wrongCurve(curve ?? "unknown") }
}

extension SigningKey {
  /// Signs with ES256 (RFC 7518 section 3.4).
  ///
  /// - Returns: 64 bytes: r and s, each 32 bytes, most significant byte first.
  public func signature(of message: [UInt8]) throws(SigningKeyError) -> [UInt8] {
    guard let context = EVP_MD_CTX_new() else { throw .openSSL(lastOpenSSLReason()) }
    defer { EVP_MD_CTX_free(context) }
    var der = [UInt8](repeating: 0, count: 80)
    var count = der.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer) == 1,
      EVP_DigestSign(context, &der, &count, message, message.count) == 1
    else { throw .openSSL(lastOpenSSLReason()) }
    return try Self.rawSignature(der: Array(der[..<count]))
  }

  /// OpenSSL writes a DER sequence of two numbers; JOSE wants them side by side.
  private static func rawSignature(der: [UInt8]) throws(SigningKeyError) -> [UInt8] {
    let signature = der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      return d2i_ECDSA_SIG(nil, &next, bytes.count)
    }
    guard let signature else { throw .openSSL(lastOpenSSLReason()) }
    defer { ECDSA_SIG_free(signature) }
    var raw = [UInt8](repeating: 0, count: 64)
    let isComplete = raw.withUnsafeMutableBufferPointer { raw in
      guard let start = raw.baseAddress else { return false }
      return BN_bn2binpad(ECDSA_SIG_get0_r(signature), start, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(signature), start + 32, 32) == 32
    }
    guard isComplete else { throw .openSSL(lastOpenSSLReason()) }
    return raw
  }

  /// The public half as SubjectPublicKeyInfo in DER (RFC 5480).
  public func publicKeyDER() throws(SigningKeyError) -> [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_PUBKEY(key.pointer, &bytes)
    guard count > 0 else { throw .openSSL(lastOpenSSLReason()) }
    defer { CRYPTO_free(bytes, nil, 0) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}

/// The oldest reason in OpenSSL's queue of this thread, which is emptied.
func lastOpenSSLReason() -> String {
  let reason = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) }
  ERR_clear_error()
  return reason ?? "no reason given"
}
