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
