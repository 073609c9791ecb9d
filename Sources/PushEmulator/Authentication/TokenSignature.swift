internal import COpenSSL

/// An ECDSA signature in either of the two forms that APNs takes.
struct TokenSignature {
  /// The signature in DER, which OpenSSL verifies.
  let der: [UInt8]
  /// Whether it came in DER.
  let cameInDER: Bool

  /// Reads the 64 bytes of RFC 7518 section 3.4, or DER; nil when it is neither.
  init?(_ bytes: [UInt8]) {
    if bytes.count == 64 {
      guard let der = Self.der(bytes) else { return nil }
      self.der = der
      cameInDER = false
    } else {
      guard Self.isDER(bytes) else { return nil }
      der = bytes
      cameInDER = true
    }
  }

  private static func der(_ raw: [UInt8]) -> [UInt8]? {
    guard let signature = ECDSA_SIG_new() else { return nil }
    defer { ECDSA_SIG_free(signature) }
    let (r, s) = (BN_bin2bn(raw, 32, nil), BN_bin2bn(Array(raw[32...]), 32, nil))
    // On success the signature owns both numbers.
    guard ECDSA_SIG_set0(signature, r, s) == 1 else {
      BN_free(r)
      BN_free(s)
      return nil
    }
    return try? derBytes("i2d_ECDSA_SIG") { i2d_ECDSA_SIG(signature, $0) }
  }

  private static func isDER(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      guard let signature = d2i_ECDSA_SIG(nil, &next, buffer.count) else {
        ERR_clear_error()
        return false
      }
      ECDSA_SIG_free(signature)
      return next == buffer.baseAddress.map { $0 + buffer.count }
    }
  }
}
