internal import COpenSSL

/// A private key that may belong to a certificate.
///
/// `@unchecked Sendable` because OpenSSL reads a finished EVP_PKEY from any thread.
final class CertificateKey: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// The key as PKCS#8 in DER (RFC 5208).
  let der: SecretBytes

  /// Creates a key from its PKCS#8 form, which the caller still owns; nil if it is damaged or its
  /// algorithm is unknown to OpenSSL.
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

  /// Reads a key in DER: PKCS#8, PKCS#1 or SEC1.
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

  /// Passes the pointer to an OpenSSL call.
  func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(pointer) }
  }

  /// The key is of the kind that signs provider tokens.
  var isOnP256: Bool { withPointer { keyName(of: $0) } == ECDSASignature.usableKeyKind }

  private static func der(of info: OpaquePointer) -> SecretBytes? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = Int(i2d_PKCS8_PRIV_KEY_INFO(info, &bytes))
    guard count > 0 else { return nil }
    defer { CRYPTO_clear_free(bytes, count, nil, 0) }
    return SecretBytes(copying: UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
