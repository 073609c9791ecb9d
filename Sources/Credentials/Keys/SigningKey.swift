internal import COpenSSL

/// The private key of a `.p8` file: an elliptic-curve key on P-256 that signs provider tokens.
///
/// The type is the sole owner of the key's bytes; OpenSSL wipes them on `deinit`.
public struct SigningKey: ~Copyable, Sendable {
  /// OpenSSL reads a finished EVP_PKEY from any thread.
  private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }

  private let key: Handle

  private init(owning pointer: OpaquePointer) { key = Handle(pointer: pointer) }

  deinit { EVP_PKEY_free(key.pointer) }

  /// Reads a key from the contents of a `.p8` file or a variable.
  ///
  /// Accepts PKCS#8 (RFC 5958), which Apple issues, and the older `EC PRIVATE KEY` (RFC 5915),
  /// either of them encrypted or not, in PEM, DER, or base64 of these. Line breaks in PEM may have
  /// become blanks or `\n`. No copy of the contents remains.
  ///
  /// - Parameter password: the password of an encrypted key; ignored for an unencrypted one.
  /// - Throws: `SigningKeyError`, with one case per kind of unusable key.
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

  /// Returns true if the contents are a key that needs a password. False for anything but a key.
  public static func isLocked(_ contents: SecretBytes) -> Bool {
    defer { ERR_clear_error() }
    return (try? KeyBlock(contents))?.isLocked ?? false
  }

  /// Generates a key for tests and the emulator.
  public static func generate() throws(SigningKeyError) -> SigningKey {
    guard let pointer = fanfare_generate_p256_key() else { throw .openSSL(lastOpenSSLReason()) }
    return SigningKey(owning: pointer)
  }
}

/// Checks that a key can sign provider tokens.
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
  /// - Returns: 64 bytes: r and s, 32 bytes each, big-endian.
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

  /// Converts OpenSSL's DER sequence of two integers to the fixed-width pair that JOSE uses.
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

extension SigningKey {
  /// The key as a `.p8` file has it: PKCS#8 in PEM. Only for keys that were made for tests.
  package func pem() throws(SigningKeyError) -> String {
    guard let sink = BIO_new(BIO_s_mem()) else { throw .openSSL(lastOpenSSLReason()) }
    defer { BIO_free(sink) }
    guard PEM_write_bio_PKCS8PrivateKey(sink, key.pointer, nil, nil, 0, nil, nil) == 1 else {
      throw .openSSL(lastOpenSSLReason())
    }
    var text: UnsafeMutablePointer<CChar>?
    let count = fanfare_bio_get_mem_data(sink, &text)
    return text.map {
      String(decoding: UnsafeRawBufferPointer(start: $0, count: count), as: UTF8.self)
    } ?? ""
  }
}

/// The oldest reason in this thread's OpenSSL error queue. Empties the queue.
func lastOpenSSLReason() -> String {
  let reason = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) }
  ERR_clear_error()
  return reason ?? "no reason given"
}

/// The reason a key cannot sign provider tokens.
public enum SigningKeyError: Error, Sendable, Hashable {
  /// The contents are empty or only white space.
  case empty
  /// The contents are binary, but not a key in DER.
  case notText
  /// A web page, as a download without a login produces.
  case webPage
  /// A provider token, which is signed with the key, was given as the key.
  case providerToken
  /// An SSH key, from OpenSSH or PuTTY.
  case sshKey
  /// Text without a PEM block.
  case notPEM
  /// The key is truncated or damaged. The label is the PEM block's; nil for DER.
  case broken(label: String?)
  /// The key is encrypted, and no password was given.
  case encrypted
  /// The password does not decrypt the key.
  case wrongPassword
  /// The key is encrypted with an algorithm that this OpenSSL lacks, for example `DES-CBC, MD5`.
  case unsupportedEncryption(String)
  /// The public half of a key.
  case publicKey
  /// A certificate.
  case certificate
  /// A certificate signing request.
  case certificateRequest
  /// A PKCS#12 file, which holds a certificate and its key.
  case pkcs12
  /// A PEM block of some other kind.
  case wrongBlock(label: String)
  /// A private key of another algorithm, for example `RSA`.
  case wrongAlgorithm(String)
  /// An elliptic curve other than P-256, for example `secp384r1`.
  case wrongCurve(String)
  /// OpenSSL failed unexpectedly, for this reason.
  case openSSL(String)
}

/// The common name of a kind of key: `RSA 2048`, `EC P-256`, `ED25519`.
func keyName(of key: OpaquePointer) -> String {
  let algorithm = EVP_PKEY_get0_type_name(key).map { String(cString: $0) } ?? "unknown"
  switch EVP_PKEY_get_base_id(key) {
  case EVP_PKEY_RSA: return "\(algorithm) \(EVP_PKEY_get_bits(key))"
  case EVP_PKEY_EC: return "\(algorithm) \(curveName(of: key) ?? "of a curve of its own")"
  default: return algorithm
  }
}

private func curveName(of key: OpaquePointer) -> String? {
  var name = [CChar](repeating: 0, count: 64)
  var count = 0
  defer { ERR_clear_error() }
  guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return nil }
  let id = OBJ_sn2nid(name)
  if let known = EC_curve_nid2nist(id) { return String(cString: known) }
  return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// SHA-256 of a key's public half as SubjectPublicKeyInfo in DER (RFC 5280 section 4.1.2.7); nil if
/// OpenSSL cannot encode it.
package func publicKeySHA256(of key: OpaquePointer) -> [UInt8]? {
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = Int(i2d_PUBKEY(key, &bytes))
  guard count > 0 else { return nil }
  defer { CRYPTO_free(bytes, nil, 0) }
  return sha256(UnsafeRawBufferPointer(start: bytes, count: count))
}
