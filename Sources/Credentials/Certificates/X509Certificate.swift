internal import COpenSSL

/// A certificate that OpenSSL has parsed.
///
/// `@unchecked Sendable` because nothing changes it between `init` and `deinit`. OpenSSL locks what
/// it derives from it on first use.
package final class X509Certificate: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// The whole certificate in DER, as sent in a handshake.
  package let der: [UInt8]

  /// Takes ownership of a parsed certificate; nil if given nil, or if it cannot be encoded.
  init?(owning pointer: OpaquePointer?) {
    defer { ERR_clear_error() }
    guard let pointer else { return nil }
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(pointer, &bytes)
    guard count > 0 else {
      X509_free(pointer)
      return nil
    }
    defer { CRYPTO_free(bytes, nil, 0) }
    der = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    self.pointer = pointer
  }

  /// Reads DER, ignoring anything after the certificate.
  package convenience init?(_ bytes: UnsafeRawBufferPointer) {
    self.init(owning: decoded(bytes) { d2i_X509(nil, $0, $1) })
  }

  deinit { X509_free(pointer) }

  /// Passes the pointer to an OpenSSL call.
  func withPointer<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(pointer) }
  }
}

extension X509Certificate {
  /// The certificate names itself as its issuer, as roots do.
  var isSelfIssued: Bool {
    withPointer { X509_NAME_cmp(X509_get_subject_name($0), X509_get_issuer_name($0)) == 0 }
  }

  /// Checks the issuer by name, key identifier and the right to sign (RFC 5280 section 6.1).
  func isIssued(by issuer: X509Certificate) -> Bool {
    withPointer { subject in
      issuer.withPointer { X509_check_issued($0, subject) == X509_V_OK }
    }
  }

  /// Returns true if the certificate's public key belongs to this private key.
  func matches(_ key: CertificateKey) -> Bool {
    defer { ERR_clear_error() }
    return withPointer { certificate in
      key.withPointer { EVP_PKEY_eq(X509_get0_pubkey(certificate), $0) == 1 }
    }
  }
}
