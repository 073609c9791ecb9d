internal import COpenSSL

/// The one owner of a P-256 private key that is made at run time and lives in memory only.
struct PrivateKey: ~Copyable {
  let pointer: OpaquePointer

  /// A fresh key.
  init() throws(OpenSSLFailure) {
    pointer = try made(fanfare_generate_p256_key(), by: "EVP_PKEY_Q_keygen")
  }

  deinit { EVP_PKEY_free(pointer) }

  /// The key as PKCS#8 in DER (RFC 5208).
  func pkcs8() throws(OpenSSLFailure) -> [UInt8] {
    let info = try made(EVP_PKEY2PKCS8(pointer), by: "EVP_PKEY2PKCS8")
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    return try derBytes("i2d_PKCS8_PRIV_KEY_INFO") { i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
  }
}
