internal import COpenSSL

/// A private key that may belong to a certificate.
///
/// `@unchecked Sendable` because OpenSSL reads a finished EVP_PKEY from any thread.
final class CertificateKey: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// PKCS#8 in DER (RFC 5208).
  let der: SecretBytes

  /// A key out of its PKCS#8 form, which stays the caller's; nil when it is damaged or of an
  /// algorithm that OpenSSL does not know.
  init?(_ info: OpaquePointer?) {
    defer { ERR_clear_error() }
    guard let info, let pointer = EVP_PKCS82PKEY(info) else { return nil }
    guard let der = Self.der(of: info) else {
      EVP_PKEY_free(pointer)
      return nil
    }
    self.pointer = pointer
    self.der = der
  }

  /// Reads DER of any form: PKCS#8, PKCS#1 or SEC1.
  convenience init?(_ bytes: UnsafeRawBufferPointer) {
    let key = decoded(bytes) { d2i_AutoPrivateKey(nil, $0, $1) }
    let info = key.flatMap { EVP_PKEY2PKCS8($0) }
    defer {
      EVP_PKEY_free(key)
      PKCS8_PRIV_KEY_INFO_free(info)
      ERR_clear_error()
    }
    self.init(info)
  }

  deinit { EVP_PKEY_free(pointer) }

  /// Lends it to a call of OpenSSL.
  func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(pointer) }
  }

  /// Whether it is of the kind that signs provider tokens.
  var isOnP256: Bool { withPointer { keyName(of: $0) } == ECDSASignature.usableKeyKind }

  private static func der(of info: OpaquePointer) -> SecretBytes? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = Int(i2d_PKCS8_PRIV_KEY_INFO(info, &bytes))
    guard count > 0 else { return nil }
    defer { CRYPTO_clear_free(bytes, count, nil, 0) }
    return SecretBytes(copying: UnsafeRawBufferPointer(start: bytes, count: count))
  }
}

/// What people call a kind of key: `RSA 2048`, `EC P-256`, `ED25519`.
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

/// SHA-256 of the public half of a key as SubjectPublicKeyInfo in DER (RFC 5280 section 4.1.2.7);
/// nil when OpenSSL cannot write it.
package func publicKeySHA256(of key: OpaquePointer) -> [UInt8]? {
  var bytes: UnsafeMutablePointer<UInt8>?
  let count = Int(i2d_PUBKEY(key, &bytes))
  guard count > 0 else { return nil }
  defer { CRYPTO_free(bytes, nil, 0) }
  return sha256(UnsafeRawBufferPointer(start: bytes, count: count))
}
